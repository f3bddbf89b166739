// Sits between a session's server and the port: names generations, and answers by itself what is intab's.

import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js'
import type {
  JSONRPCMessage,
  JSONRPCRequest,
  MessageExtraInfo,
  RequestId,
  Result
} from '@modelcontextprotocol/sdk/types.js'
import { RpcError, toError } from '../errors.js'
import { failure } from '../link/json-rpc.js'
import { request } from '../protocol/requests.js'
import { whatIsWrong } from '../link/what-is-wrong.js'
import type { Json } from '../types.js'
import { onlyJson } from './border.js'
import type { GenerationIds } from './generation-ids.js'
import { mendError } from './sdk-error.js'
import { isUsualRequest } from './usual.js'

/** Returns true when the message was intab's and goes no further. */
export type Intercept = (message: JSONRPCMessage) => boolean

export interface Probing {
  signal?: AbortSignal
  onmessage?(message: JSONRPCMessage): void
}

export class SessionTransport implements Transport {
  onmessage?: (<T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void) | undefined
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  readonly #inner: Transport
  readonly #ids: GenerationIds
  readonly #intercept: Intercept
  readonly #limit: number
  readonly #probes = new Map<string, (message: JSONRPCMessage) => void>()
  /** Called with what the server says on no request's stream; what it returns true for goes no further. */
  onunasked?: Intercept | undefined

  /** No message in either direction is larger than `limit` bytes. */
  constructor(inner: Transport, ids: GenerationIds, intercept: Intercept, limit: number) {
    this.#inner = inner
    this.#ids = ids
    this.#intercept = intercept
    this.#limit = limit
  }

  async start(): Promise<void> {
    this.#inner.onmessage = (message, extra) => {
      const known = this.#read(message)
      if (known === undefined || this.#intercept(known) || this.#refuses(known)) return
      this.onmessage?.(known, extra)
    }
    this.#inner.onclose = () => this.onclose?.()
    this.#inner.onerror = (error) => this.onerror?.(error)
    await this.#inner.start()
  }

  /** Undefined for what goes no further: a request that is not JSON is answered with the error that says so. */
  #read(message: JSONRPCMessage): JSONRPCMessage | undefined {
    const known = this.#ids.incoming(message)
    try {
      return known && onlyJson(known, this.#limit)
    } catch (error) {
      if ('id' in message && message.id !== undefined) this.#answer(failure(message.id, error))
      else this.onerror?.(toError(error))
      return undefined
    }
  }

  #answer(response: JSONRPCMessage): void {
    this.#inner.send(response).catch((failed: Error) => this.onerror?.(failed))
  }

  /** The SDK's server gives no answer to a request that it cannot read; whoever sent it would wait for ever. */
  #refuses(message: JSONRPCMessage): boolean {
    if (!('method' in message) || !('id' in message)) return false
    if (isUsualRequest(message) || request().safeParse(message).success) return false
    const { id } = message as { id: RequestId }
    const error = { code: -32600, message: `Invalid request: ${whatIsWrong(message)}` }
    this.#answer({ jsonrpc: '2.0', id, error })
    return true
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const about = 'method' in message ? options?.relatedRequestId : message.id
    const probe = about === undefined ? undefined : this.#probes.get(String(about))
    if (about === undefined && this.onunasked?.(message) === true) return
    const clean = onlyJson(mendError(message), this.#limit)
    if (probe !== undefined) return probe(clean)
    await this.#inner.send(this.#ids.outgoing(clean), options)
  }

  close(): Promise<void> {
    return this.#inner.close()
  }

  /** Asks the server as its client would, without the wire; `onmessage` hears what it sends meanwhile. */
  probe(method: string, params?: JSONRPCRequest['params'], { signal, onmessage }: Probing = {}): Promise<Result> {
    const id = `probe:${crypto.randomUUID()}`
    const cancel = (): void => {
      this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } })
    }
    if (signal?.aborted) return Promise.reject(signal.reason)
    signal?.addEventListener('abort', cancel, { once: true })
    return new Promise<Result>((resolve, reject) => {
      // The SDK answers no request that was cancelled.
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
      this.#probes.set(id, (message) => {
        if ('method' in message) onmessage?.(message)
        else if ('result' in message) resolve(message.result)
        else if ('error' in message) {
          const { code, message: text, data } = message.error
          reject(new RpcError(code, text, data as Json))
        } else reject(toError('The server gave no answer'))
      })
      this.onmessage?.({ jsonrpc: '2.0', id, method, ...(params && { params }) })
    }).finally(() => {
      signal?.removeEventListener('abort', cancel)
      this.#probes.delete(id)
    })
  }
}
