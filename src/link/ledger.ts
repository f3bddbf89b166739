// What a page and its worker owe each other, kept on the page's side: it outlives the worker.

import type {
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResponse,
  RequestId
} from '@modelcontextprotocol/sdk/types.js'
import { type IntabError, RPC } from '../errors.js'
import { isTaskRequestId } from '../ids.js'
import { cancellation, failureOf } from './json-rpc.js'
import { isSafeToResend, replayed, retryKey, withMeta } from './resend.js'

const acknowledged = 'notifications/subscriptions/acknowledged'
export const subscription = 'io.modelcontextprotocol/subscriptionId'
const relatedTask = 'io.modelcontextprotocol/related-task'

/** What must reach a worker, whichever: an answer to a task's question, or a cancellation. */
export type Owed = JSONRPCResponse | JSONRPCNotification

interface Pending {
  request: JSONRPCRequest
  resent: boolean
  /** The highest `intab/message` that came for it; for a listen, 1 once it was acknowledged. */
  seen: number
  /** The client waits no more, but a worker has yet to end what the call began. */
  cancelled?: true
  /** Called when nobody waits for the answer any more. */
  onover(): void
}

const isCancelled = (
  notification: JSONRPCNotification
): notification is JSONRPCNotification & { params: { requestId: RequestId } } =>
  notification.method === 'notifications/cancelled' && notification.params?.requestId !== undefined

export class Ledger {
  /** Made when it is first needed: an insecure context has no `randomUUID`, and is told so by the locks. */
  #name: string | undefined
  #keys = 0
  readonly pending = new Map<RequestId, Pending>()
  /** Questions on the screen (false), and those answered but not acknowledged (true). */
  readonly #held = new Map<string, boolean>()
  /** Other requests of the worker that the client has not answered. */
  readonly #open = new Set<RequestId>()
  /** What a new worker must hear before anything else, in this order, from its own requests' responses. */
  #initialize: JSONRPCRequest | undefined
  #initialized: JSONRPCNotification | undefined
  /** The state that a session of the worker had, by method; subscriptions by their URI. */
  readonly #state = new Map<unknown, JSONRPCRequest>()
  /** Each list as the client last read it, by method. */
  readonly lists = new Map<string, { request: JSONRPCRequest; result: object }>()

  // From the client

  /** Keeps a request until it is answered; returns it as it goes out, tool calls with a key that tells a repetition. */
  asked(request: JSONRPCRequest, onover = (): void => undefined): JSONRPCRequest {
    const isNew = request.method === 'tools/call' && request.params?._meta?.['intab/key'] === undefined
    const kept = isNew ? withMeta(request, { 'intab/key': this.#newKey() }) : request
    this.pending.set(request.id, { request: kept, resent: false, seen: 0, onover })
    return isNew ? withMeta(kept, { 'intab/fresh': true }) : kept
  }

  notAsked({ id }: JSONRPCRequest): void {
    this.#forget(id)
  }

  notified(notification: JSONRPCNotification): void {
    if (notification.method === 'notifications/initialized') this.#initialized = notification
    const pending = this.#pendingFor(notification)
    if (pending) pending.cancelled = true
  }

  /** Whether an answer of the client is to be kept until it is acknowledged, sent once, or has nobody who waits for it. */
  answering({ id }: JSONRPCResponse): 'keep' | 'once' | 'drop' {
    if (isTaskRequestId(id) && this.#held.has(id)) {
      this.#held.set(id, true)
      return 'keep'
    }
    return id !== undefined && this.#open.delete(id) ? 'once' : 'drop'
  }

  /**
   * Whether a worker has yet to take this answer or cancellation: false when the question was withdrawn, or is asked again,
   * and for the cancellation of what was answered, since of a task only `tasks/cancel` counts then.
   */
  owes(message: Owed): boolean {
    if ('method' in message) return this.#pendingFor(message)?.cancelled === true
    return isTaskRequestId(message.id) && this.#held.get(message.id) === true
  }

  /** A worker has done what the message asks for, or none will. */
  acknowledged(message: Owed): void {
    if (!this.owes(message)) return
    if ('method' in message) this.#forget(message.params?.requestId as RequestId)
    else this.#held.delete(String(message.id))
  }

  // From the worker

  /** False for a question that the page holds already. */
  opened({ id, params }: JSONRPCRequest): boolean {
    if (!isTaskRequestId(id)) {
      this.#open.add(id)
      return true
    }
    // One that is asked again, since its answer was refused, may overtake the acknowledgement of that.
    if (this.#held.has(id) && !(this.#held.get(id) && params?._meta?.['intab/refused'])) return false
    this.#held.set(id, false)
    return true
  }

  /** False for what the client was told before: a listen that the next worker took up is acknowledged once. */
  heard(notification: JSONRPCNotification): boolean {
    const { method, params } = notification
    if (isCancelled(notification)) {
      this.#held.delete(String(notification.params.requestId))
      this.#open.delete(notification.params.requestId)
    }
    const place = params?._meta?.['intab/message']
    if (method === acknowledged) return this.#acknowledge(params?._meta?.[subscription])
    if (typeof place !== 'number') return true
    const { taskId } = params?._meta?.[relatedTask] ?? {}
    for (const pending of this.pending.values()) {
      const { method, params } = pending.request
      if (method === 'tasks/result' && params?.taskId === taskId) pending.seen = Math.max(pending.seen, place)
    }
    return true
  }

  #acknowledge(id: unknown): boolean {
    const listen = typeof id === 'string' || typeof id === 'number' ? this.pending.get(id) : undefined
    if (listen === undefined) return true
    listen.seen += 1
    return listen.seen === 1
  }

  /** The cancel that a response refuses, if it was sent before: its first sending may have done what is refused now. */
  secondCancel(response: JSONRPCResponse): JSONRPCRequest | undefined {
    if (!('error' in response) || response.error.code !== RPC.invalidParams) return undefined
    const pending = this.#pendingFor(response)
    return pending?.resent && pending.request.method === 'tasks/cancel' ? pending.request : undefined
  }

  /** False for a response that the client no longer waits for. */
  answered(response: JSONRPCResponse): boolean {
    const pending = this.#pendingFor(response)
    if (pending?.cancelled) return false
    if (pending) this.#forget(pending.request.id)
    if (pending && 'result' in response) this.#learn(pending.request, response.result)
    return true
  }

  #learn(request: JSONRPCRequest, result: object): void {
    const { method, params } = request
    if (method.endsWith('list') && !params?.cursor) this.lists.set(method, { request, result })
    if (method === 'initialize') this.#initialize = request
    if (replayed.has(method)) this.#state.set(params?.uri ?? method, request)
    if (method === 'resources/unsubscribe') this.#state.delete(params?.uri)
  }

  // At the end of a worker or connection: each returns what the client is to be told

  /** Requests that must not be repeated fail, and the worker's own are withdrawn. */
  lost(error: IntabError): JSONRPCMessage[] {
    // A call that was cancelled goes on in the next worker, and is cancelled there.
    const over = [...this.pending.values()].filter(({ request, cancelled }) =>
      cancelled ? request.method !== 'tools/call' : !isSafeToResend(request)
    )
    const failed = over.filter(({ cancelled }) => !cancelled)
    const withdrawn = [...this.#open]
    for (const { request } of over) this.#forget(request.id)
    this.#open.clear()
    return [
      ...failed.map(({ request }) => failureOf(request, error)),
      ...withdrawn.map((id) => cancellation(id, error.message))
    ]
  }

  /** Questions that were not answered may now be on another screen; they are withdrawn from this one. */
  gaveBack(): JSONRPCMessage[] {
    const unanswered = [...this.#held].flatMap(([id, answered]) => (answered ? [] : [id]))
    for (const id of unanswered) this.#held.delete(id)
    return unanswered.map((id) => cancellation(id, 'The page was away, and the question went to others'))
  }

  /** Nobody will answer any more, nor be answered. */
  ended(error: IntabError): JSONRPCMessage[] {
    const waiting = [...this.pending.values()].filter(({ cancelled }) => !cancelled)
    const failed = waiting.map(({ request }) => failureOf(request, error))
    const withdrawn = [...this.#open, ...this.#held.keys()].map((id) => cancellation(id, error.message))
    for (const id of this.pending.keys()) this.#forget(id)
    this.#open.clear()
    this.#held.clear()
    return [...failed, ...withdrawn]
  }

  // For the next worker

  get holding(): string[] {
    return [...this.#held.keys()]
  }

  /** The client's initialize, once it was answered: an unanswered one is among those to resend. */
  get initialize(): JSONRPCRequest | undefined {
    return this.#initialize
  }

  get initialized(): JSONRPCNotification | undefined {
    return this.#initialized
  }

  get replay(): JSONRPCRequest[] {
    return [...this.#state.values()]
  }

  resend(): JSONRPCRequest[] {
    return [...this.pending.values()].map((pending) => {
      const { request, seen } = pending
      pending.resent = true
      if (request.method === 'tools/call') return withMeta(request, { [retryKey]: true })
      return seen > 0 && request.method === 'tasks/result' ? withMeta(request, { 'intab/seen': seen }) : request
    })
  }

  /** A UUID whose last digits count: a random one for each call would cost 10 µs of it. */
  #newKey(): string {
    return (this.#name ??= crypto.randomUUID()).slice(0, -12) + (this.#keys += 1).toString(16).padStart(12, '0')
  }

  #forget(id: RequestId): void {
    const pending = this.pending.get(id)
    this.pending.delete(id)
    pending?.onover()
  }

  /** The request that a message answers or cancels. */
  #pendingFor(message: Owed): Pending | undefined {
    if (!('method' in message)) return this.pending.get(message.id as RequestId)
    return isCancelled(message) ? this.pending.get(message.params.requestId) : undefined
  }
}
