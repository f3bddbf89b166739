// Requests that intab answers by itself, before the SDK's server sees them.

import type {
  JSONRPCErrorResponse,
  JSONRPCMessage,
  JSONRPCResultResponse,
  RequestId
} from '@modelcontextprotocol/sdk/types.js'
import { IntabError, toErrorObject } from '../errors.js'
import { cancelled, type Incoming, type Method, type Reply } from '../link/method.js'
import type { JsonObject } from '../types.js'

export { cancelled, type Incoming, type Method, type Reply } from '../link/method.js'

/** The method that answers a request; undefined when it is not intab's. */
export type Find = (method: string, params: JsonObject) => Method | undefined

type Send = (message: JSONRPCMessage, relatedRequestId: RequestId, onposted: () => void) => Promise<void>

interface Open {
  controller: AbortController
  done: Promise<void>
}

export class Dispatcher {
  readonly #find: Find
  readonly #send: Send
  readonly #signal: AbortSignal
  readonly #limit: number
  readonly #open = new Map<RequestId, Open>()
  #second = 0
  #count = 0

  constructor(
    methods: ReadonlyMap<string, Method> | Find,
    send: Send,
    options: { signal: AbortSignal; limit: number }
  ) {
    this.#find = typeof methods === 'function' ? methods : (name) => methods.get(name)
    this.#send = send
    this.#signal = options.signal
    this.#limit = options.limit
    this.#signal.addEventListener('abort', () => {
      for (const { controller } of this.#open.values()) controller.abort(this.#signal.reason)
    })
  }

  /** Takes the message if it is intab's. */
  readonly intercept = (message: JSONRPCMessage): boolean => {
    if (!('method' in message)) return false
    // Whatever the client sent: methods check what they take.
    const params = (message.params === undefined ? {} : message.params) as JsonObject
    if (!('id' in message)) return this.cancel(message) !== undefined
    const method = this.#find(message.method, params)
    if (method === undefined || method.mine?.(params) === false) return false
    const open: Open = { controller: new AbortController(), done: Promise.resolve() }
    this.#open.set(message.id, open)
    open.done = this.#answer(method, message.id, params, open.controller)
      .catch(() => {
        // The connection is gone, and with it whoever asked; the port's owner knows.
      })
      .finally(() => {
        if (this.#open.get(message.id) === open) this.#open.delete(message.id)
      })
    return true
  }

  /**
   * Cancels the request that a notification names, if the client has not taken its reply. Resolves when it is over, and what
   * it began has ended; undefined for any other message.
   */
  cancel(message: JSONRPCMessage): Promise<void> | undefined {
    if (!('method' in message) || 'id' in message || message.method !== 'notifications/cancelled') return undefined
    const open = this.#open.get(message.params?.requestId as RequestId)
    open?.controller.abort(cancelled)
    return open?.done
  }

  async #answer(method: Method, id: RequestId, params: JsonObject, controller: AbortController): Promise<void> {
    const { signal } = controller
    if (this.#signal.aborted) controller.abort(this.#signal.reason)
    let reply: Omit<Reply, 'result'> = {}
    const posted = (): void => {
      const { sent } = reply
      delete reply.sent
      sent?.()
    }
    try {
      const response = await this.#settle(method, { id, params, signal }, (made) => {
        reply = { ...made }
      })
      if (!signal.aborted) {
        reply.first?.()
        await this.#send(response, id, posted)
      } else if (signal.reason === cancelled && reply.cancelled !== undefined) delete reply.sent
    } finally {
      posted()
      if (signal.reason === cancelled) await reply.cancelled?.()
    }
  }

  async #settle(
    method: Method,
    request: Incoming,
    onreply: (reply: Reply) => void
  ): Promise<JSONRPCResultResponse | JSONRPCErrorResponse> {
    const { id } = request
    try {
      this.#countOne()
      const reply = await method.answer(request)
      onreply(reply)
      return { jsonrpc: '2.0', id, result: reply.result }
    } catch (error) {
      return { jsonrpc: '2.0', id, error: toErrorObject(error) }
    }
  }

  #countOne(): void {
    const second = Math.floor(Date.now() / 1000)
    if (second !== this.#second) {
      this.#second = second
      this.#count = 0
    }
    if (++this.#count <= this.#limit) return
    throw new IntabError('limit_reached', `More than ${this.#limit} requests about tasks in a second: slow down`, {
      limit: this.#limit
    })
  }
}
