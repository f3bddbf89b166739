// The SDK numbers its requests from 0 in every new server and matches answers through Number(id): without a name for
// the generation, an answer to a dead worker's request would resolve one of the new worker's.

import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js'

export class GenerationIds {
  readonly #prefix: string

  constructor(worker: string) {
    this.#prefix = `s:${worker}:`
  }

  /** Names the generation in the ids and progress tokens of a message of the SDK's server. */
  outgoing(message: JSONRPCMessage): JSONRPCMessage {
    if ('method' in message && 'id' in message) {
      return { ...message, id: this.#name(message.id), ...this.#withToken(message.params) }
    }
    if ('method' in message && message.method === 'notifications/cancelled') {
      const id = message.params?.requestId
      if (typeof id !== 'number') return message
      return { ...message, params: { ...message.params, requestId: this.#name(id) } }
    }
    return message
  }

  /** Undefined for an answer or progress that belongs to another generation, or to nobody. */
  incoming(message: JSONRPCMessage): JSONRPCMessage | undefined {
    if (!('method' in message)) {
      const id = this.#number(message.id)
      return id === undefined ? undefined : { ...message, id }
    }
    if ('id' in message || message.method !== 'notifications/progress') return message
    const progressToken = this.#number(message.params?.progressToken)
    return progressToken === undefined ? undefined : { ...message, params: { ...message.params, progressToken } }
  }

  #name(id: RequestId): RequestId {
    return typeof id === 'number' ? `${this.#prefix}${id}` : id
  }

  #number(id: unknown): number | undefined {
    if (typeof id !== 'string' || !id.startsWith(this.#prefix)) return undefined
    const digits = id.slice(this.#prefix.length)
    return /^\d+$/.test(digits) ? Number(digits) : undefined
  }

  #withToken(params: { _meta?: { progressToken?: RequestId | undefined } | undefined } | undefined): object {
    const token = params?._meta?.progressToken
    if (token === undefined) return {}
    return { params: { ...params, _meta: { ...params?._meta, progressToken: this.#name(token) } } }
  }
}
