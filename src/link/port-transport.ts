// Both ends of a connection: batches of messages over one port, each acknowledged by the peer.

import { expose } from 'comlink'
import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js'
import { IntabError, RPC, RpcError, toError } from '../errors.js'
import { BatchedPort } from './batched-port.js'
import { Caller } from './caller.js'
import { Endpoint } from './endpoint.js'
import { assertMessage, failure, isResponse } from './json-rpc.js'
import type { RelatedInfo } from './json-rpc.js'
import { closed, superseded } from './reasons.js'
import { fromWireError, toWireError } from './wire-error.js'
import type { WireError } from './wire-error.js'

/** Why an end leaves: a page gives its questions back, a worker sends its pages away. */
export type Bye = { giveBack?: true; superseded?: true }

type Related = [place: number, requestId: RequestId][]
type Refused = [place: number, error: WireError][]

interface Sending {
  message: JSONRPCMessage
  related: RequestId | undefined
  resolve(): void
  reject(error: Error): void
}

export class PortTransport implements Transport {
  onmessage?: NonNullable<Transport['onmessage']>
  onclose?: () => void
  onerror?: (error: Error) => void
  /**
   * Set before start(). A message for which it returns a promise goes no further, and is acknowledged
   * when the promise resolves; when it rejects, the sender of that message gets the error.
   */
  take?: ((message: JSONRPCMessage) => Promise<void> | undefined) | undefined
  readonly #port: BatchedPort
  readonly #endpoint: Endpoint
  readonly #ending = new AbortController()
  #peer: Caller | undefined
  #outbox: Sending[] = []
  readonly #unacknowledged = new Set<Sending>()

  constructor(port: MessagePort) {
    this.#port = new BatchedPort(port)
    this.#endpoint = new Endpoint(this.#port)
  }

  /** Aborts when the transport ends, with an IntabError; its `data` is the peer's Bye, if it said one. */
  get signal(): AbortSignal {
    return this.#ending.signal
  }

  async start(): Promise<void> {
    if (this.signal.aborted) throw this.#reason
    if (this.#peer !== undefined) throw new IntabError('invalid_options', 'This transport was started before')
    this.#peer = new Caller(this.#endpoint)
    this.#endpoint.addEventListener('messageerror', () =>
      this.onerror?.(new IntabError('not_json', 'Received a message that cannot be deserialized'))
    )
    expose(
      {
        // `related` has, by place in the batch, the request on whose stream a message belongs: whoever passes it on over
        // HTTP must know. Resolves when all of the batch was taken, with what was not, by place as well.
        receive: (batch: unknown[], related?: Related) => this.#receive(batch, new Map(related)),
        bye: (bye: Bye) =>
          this.end(bye.superseded ? superseded(bye) : closed('The other side closed the connection', bye))
      },
      this.#endpoint
    )
  }

  /** Resolves when the peer has taken the message; rejects with what it said, or when the transport ends first. */
  async send(message: JSONRPCMessage, { relatedRequestId: related }: TransportSendOptions = {}): Promise<void> {
    if (this.signal.aborted) throw this.#reason
    if (this.#peer === undefined) throw closed('This transport is not started')
    assertMessage(message)
    await new Promise<void>((resolve, reject) => {
      if (this.#outbox.length === 0) queueMicrotask(() => this.#flush())
      this.#outbox.push({ message, related, resolve, reject })
    })
  }

  /** Says bye, then ends; what was sent before still goes out. */
  async close(bye: Bye = {}): Promise<void> {
    if (this.signal.aborted) return
    this.#flush()
    // The port is closed before an answer could come: this settles only when the other side failed at once.
    this.#peer?.call('bye', bye).catch((error: unknown) => this.onerror?.(toError(error)))
    this.end(closed('This connection is closed'))
  }

  /** Ends without a word: the peer is dead, or has said bye. Rejects what is not acknowledged. */
  end(reason: IntabError): void {
    if (this.signal.aborted) return
    this.#ending.abort(reason)
    this.#endpoint.detach()
    this.#port.close()
    for (const { reject } of [...this.#unacknowledged, ...this.#outbox]) reject(reason)
    this.#unacknowledged.clear()
    this.#outbox = []
    this.onclose?.()
  }

  get #reason(): Error {
    return toError(this.signal.reason)
  }

  #flush(): void {
    const batch = this.#outbox
    this.#outbox = []
    if (batch.length > 0) this.#post(batch)
  }

  #post(batch: Sending[]): void {
    const related = batch.flatMap(({ related }, place): Related => (related === undefined ? [] : [[place, related]]))
    const messages = batch.map(({ message }) => message)
    for (const sending of batch) this.#unacknowledged.add(sending)
    try {
      this.#peer?.call('receive', messages, ...(related.length > 0 ? [related] : [])).then(
        (refused) => this.#acknowledge(batch, refused as Refused),
        (error: unknown) => batch.forEach((sending) => this.#settle(sending, toError(error)))
      )
    } catch (refusal) {
      // One message that cannot be cloned holds up none beside it.
      if (batch.length > 1) for (const sending of batch) this.#post([sending])
      else for (const sending of batch) this.#refuse(sending, refusal)
    }
  }

  #acknowledge(batch: Sending[], refused: Refused): void {
    const errors = new Map(refused)
    batch.forEach((sending, place) => {
      const error = errors.get(place)
      this.#settle(sending, error && fromWireError(error))
    })
  }

  #settle(sending: Sending, error?: Error): void {
    this.#unacknowledged.delete(sending)
    if (error) sending.reject(error)
    else sending.resolve()
  }

  /** Whoever waits for a response that cannot be cloned gets an error instead of silence. */
  #refuse(sending: Sending, cause: unknown): void {
    const { message } = sending
    const error = new IntabError('not_json', `This message cannot be sent: ${toError(cause).message}`, undefined, {
      cause
    })
    this.#settle(sending, error)
    if (!isResponse(message) || message.id === undefined) return
    const { code, message: text } = 'error' in message ? message.error : { code: RPC.internal, message: error.message }
    this.send(failure(message.id, new RpcError(code, text, { code: error.code }))).catch((failed: unknown) => {
      if (!this.signal.aborted) this.onerror?.(toError(failed))
    })
  }

  /** Most messages are taken at once, and need no promise. */
  #receive(batch: unknown[], related: ReadonlyMap<number, RequestId>): Refused | Promise<Refused> {
    const taken = batch.map((message, place) => this.#accept(message, related.get(place)))
    return taken.some((promise) => promise !== undefined) ? refusedOf(taken) : []
  }

  #accept(message: unknown, relatedRequestId: RequestId | undefined): Promise<void> | undefined {
    try {
      assertMessage(message)
      const taken = this.take?.(message)
      const extra: RelatedInfo | undefined = relatedRequestId === undefined ? undefined : { relatedRequestId }
      if (taken === undefined) this.onmessage?.(message, extra)
      return taken
    } catch (thrown) {
      const error = toError(thrown)
      this.onerror?.(error)
      return Promise.reject(error)
    }
  }
}

async function refusedOf(taken: (Promise<void> | undefined)[]): Promise<Refused> {
  const settled = await Promise.allSettled(taken.map((promise) => Promise.resolve(promise)))
  return settled.flatMap((result, place): Refused =>
    result.status === 'rejected' ? [[place, toWireError(result.reason)]] : []
  )
}
