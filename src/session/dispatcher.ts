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

export class Dispatcher {
  readonly #find: Find
  readonly #send: Send
  readonly #signal: AbortSignal
  readonly #limit: number
  readonly #open = new Map<RequestId, AbortController>()
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
      for (const controller of this.#open.values()) controller.abort(this.#signal.reason)
    })
  }

  /** Takes the message if it is intab's. */
  readonly intercept = (message: JSONRPCMessage): boolean => {
    if (!('method' in message)) return false
    // Whatever the client sent: methods check what they take.
    const params = (message.params === undefined ? {} : message.params) as JsonObject
    if (!('id' in message)) {
      if (message.method !== 'notifications/cancelled') return false
      const controller = this.#open.get(message.params?.requestId as RequestId)
      controller?.abort(cancelled)
      return controller !== undefined
    }
    const method = this.#find(message.method, params)
    if (method === undefined || method.mine?.(params) === false) return false
    this.#answer(method, message.id, params).catch(() => {
      // The connection is gone, and with it whoever asked; the port's owner knows.
    })
    return true
  }

  async #answer(method: Method, id: RequestId, params: JsonObject): Promise<void> {
    const controller = new AbortController()
    if (this.#signal.aborted) controller.abort(this.#signal.reason)
    this.#open.set(id, controller)
    let around: Omit<Reply, 'result'> = {}
    const posted = (): void => {
      const { sent } = around
      around = {}
      sent?.()
    }
    try {
      const response = await this.#settle(method, { id, params, signal: controller.signal }, (reply) => {
        around = reply
      })
      if (!controller.signal.aborted) {
        around.first?.()
        await this.#send(response, id, posted)
      } else if (controller.signal.reason === cancelled && around.cancelled !== undefined) {
        around.cancelled()
        around = {}
      }
    } finally {
      if (this.#open.get(id) === controller) this.#open.delete(id)
      posted()
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
