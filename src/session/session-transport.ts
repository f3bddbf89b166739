// Sits between the SDK's server and the port: names generations, and answers by itself what is intab's.

import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  ErrorCode,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type MessageExtraInfo,
  type RequestId,
  type Result
} from '@modelcontextprotocol/sdk/types.js'
import { RpcError, toError } from '../errors.js'
import type { Json } from '../types.js'
import type { GenerationIds } from './generation-ids.js'
import { mendError } from './sdk-error.js'
import { isUsualRequest } from './usual.js'

/** Returns true when the message was intab's and goes no further. */
export type Intercept = (message: JSONRPCMessage) => boolean

export class SessionTransport implements Transport {
  onmessage?: (<T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void) | undefined
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  readonly #inner: Transport
  readonly #ids: GenerationIds
  readonly #intercept: Intercept
  readonly #probes = new Map<string, (message: JSONRPCMessage) => void>()

  constructor(inner: Transport, ids: GenerationIds, intercept: Intercept) {
    this.#inner = inner
    this.#ids = ids
    this.#intercept = intercept
  }

  async start(): Promise<void> {
    this.#inner.onmessage = (message, extra) => {
      const known = this.#ids.incoming(message)
      if (known === undefined || this.#intercept(known) || this.#refuses(known)) return
      this.onmessage?.(known, extra)
    }
    this.#inner.onclose = () => this.onclose?.()
    this.#inner.onerror = (error) => this.onerror?.(error)
    await this.#inner.start()
  }

  /** The SDK gives no answer to a request that it cannot read; whoever sent it would wait for ever. */
  #refuses(message: JSONRPCMessage): boolean {
    if (!('method' in message) || !('id' in message)) return false
    if (isUsualRequest(message) || isJSONRPCRequest(message)) return false
    const { id } = message as { id: RequestId }
    const error = { code: ErrorCode.InvalidRequest, message: 'Invalid request: params must be an object' }
    this.#inner.send({ jsonrpc: '2.0', id, error }).catch((failed: Error) => this.onerror?.(failed))
    return true
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const probe = 'id' in message && !('method' in message) ? this.#probes.get(String(message.id)) : undefined
    if (probe !== undefined) return probe(message)
    await this.#inner.send(this.#ids.outgoing(mendError(message)), options)
  }

  close(): Promise<void> {
    return this.#inner.close()
  }

  /** Asks the SDK's server as its client would, without the wire. */
  probe(method: string): Promise<Result> {
    const id = `probe:${crypto.randomUUID()}`
    return new Promise<Result>((resolve, reject) => {
      this.#probes.set(id, (message) => {
        if ('result' in message) resolve(message.result)
        else if ('error' in message) {
          const { code, message: text, data } = message.error
          reject(new RpcError(code, text, data as Json))
        } else reject(toError('The server gave no answer'))
      })
      this.onmessage?.({ jsonrpc: '2.0', id, method })
    }).finally(() => this.#probes.delete(id))
  }
}
