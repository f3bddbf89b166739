// One connection of one tab: its client's capabilities, the questions it shows, its place in each task's notifications.

import type { JSONRPCMessage, RequestId, Result } from '@modelcontextprotocol/sdk/types.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { IntabError } from '../errors.js'
import type {
  Capability,
  Checkpoint,
  Claimant,
  IntabEvent,
  JsonObject,
  MessageRecord,
  RequestRecord
} from '../types.js'
import type { InnerServer } from './inner-server.js'
import type { SessionInfo } from './options.js'
import { shownParams } from '../tasks/input-request.js'
import { after } from '../time.js'
import { withRelatedTask } from './project-task.js'

/** A question is on its way to a screen for no longer than this, in ms: a page that takes longer hangs. */
export const surely = 5000

/** What a session needs of a connection's transport. */
export interface AnswerableTransport extends Transport {
  /** Gets what must be safe before it is acknowledged. */
  take?: ((message: JSONRPCMessage) => Promise<void> | undefined) | undefined
  /** Whether what belongs to no request of the client reaches it; true when absent. */
  readonly reachable?: boolean
}

/** What a session tells its worker. */
export interface SessionHost {
  readonly options: { checkpoint?: Checkpoint }
  /** A question may be on no screen, or on one after all. */
  reviewQuestions(): void
  emit(event: IntabEvent): void
  onerror(error: Error, during: string): void
}

export class Session {
  readonly id: string
  readonly connection: string
  readonly owner: string
  readonly signal: AbortSignal
  /** Request id → task id of the questions on this page's screen. */
  readonly held = new Map<string, string>()
  /** Those of them that the page has not taken in time; it is asked nothing more until it has. */
  readonly late = new Set<string>()
  /** Request id → the client's own task that will answer it. */
  readonly hosted = new Map<string, string>()
  /** What the client declared; nothing before it did. */
  can: Capability[] = []
  /** True once the client asked to be initialized: it speaks a revision that has sessions. */
  initialized = false
  /** True once the client said `notifications/initialized`. */
  ready = false
  /** True once the client declared that it knows of tasks, or asked for one or after one. */
  hearsOfTasks = false
  /** True once the client asked to be told of more than the protocol tells: progress of all tasks, and deletions. */
  watches = false
  /** What answers the requests that are about no task, once it is there. */
  server: InnerServer | undefined
  readonly #host: SessionHost
  readonly #transport: AnswerableTransport
  readonly #places = new Map<string, number>()
  /** Request id of a question → the client's request on whose stream it was asked. */
  readonly #asked = new Map<string, RequestId>()
  /** Request id → resolves when the client took note that it is withdrawn, or is gone. */
  readonly #withdrawals = new Map<string, Promise<void>>()

  constructor(
    host: SessionHost,
    info: SessionInfo,
    owner: string,
    transport: AnswerableTransport,
    signal: AbortSignal
  ) {
    this.id = info.id
    this.connection = info.connection
    this.owner = owner
    this.signal = signal
    this.#host = host
    this.#transport = transport
  }

  get claimant(): Claimant {
    return { connection: this.connection, can: this.late.size > 0 ? [] : this.can }
  }

  /** Whether a question can be shown that nobody waits for. */
  get reachable(): boolean {
    return this.ready && this.late.size === 0 && this.#transport.reachable !== false
  }

  /** `n` of the newest notification of the task that this connection has read. */
  place(taskId: string): number {
    return this.#places.get(taskId) ?? 0
  }

  moveTo(taskId: string, n: number): void {
    if (n > this.place(taskId)) this.#places.set(taskId, n)
  }

  /**
   * Sends a message, on the stream of a request where one is given. Resolves when the client took it, which may be long
   * after `onposted` where the page is frozen; rejects when nobody took it.
   */
  async send(message: JSONRPCMessage, relatedRequestId?: RequestId, onposted?: () => void): Promise<void> {
    const { checkpoint } = this.#host.options
    if (checkpoint) await checkpoint(`send:${'method' in message ? message.method : 'response'}`)
    const taken = this.#transport.send(message, relatedRequestId === undefined ? {} : { relatedRequestId })
    onposted?.()
    await taken
  }

  /** Sends a notification if the client is there to hear it; what is lost with a closing connection is lost to nobody. */
  tell(method: string, params: JsonObject): void {
    this.#told(method, params).catch((error: Error) => this.#host.onerror(error, method))
  }

  /** Rejects only while the client is there. */
  async #told(method: string, params: JsonObject): Promise<void> {
    if (!this.ready || this.signal.aborted) return
    await this.send({ jsonrpc: '2.0', method, params }).catch((error: Error) => {
      if (!this.signal.aborted) throw error
    })
  }

  /** Asks the client something that belongs to this connection alone. */
  async request(method: string, params: JsonObject): Promise<Result> {
    if (this.server === undefined) throw new IntabError('closed', 'The session is not connected yet')
    return this.server.request(method, params)
  }

  /**
   * Delivers a message of a task; a notification that this connection has read is not sent twice. A question that the page
   * does not take in time is asked of others as well.
   */
  async deliver(message: MessageRecord, relatedRequestId?: RequestId): Promise<void> {
    const { taskId, n, method } = message
    if (message.kind === 'notification') {
      if (n <= this.place(taskId)) return
      this.moveTo(taskId, n)
      const params = withRelatedTask(message.params, taskId, { 'intab/message': n })
      return this.send({ jsonrpc: '2.0', method, params }, relatedRequestId)
    }
    const { requestId } = message
    // A client that hears both at once takes the withdrawal for one of the new question, which has the same id.
    await this.#withdrawals.get(requestId)
    const event = { taskId, requestId, connection: this.connection }
    this.signal.throwIfAborted()
    this.held.set(requestId, taskId)
    if (relatedRequestId !== undefined) this.#asked.set(requestId, relatedRequestId)
    this.#host.emit({ type: 'claimed', ...event })
    const params = withRelatedTask(shownParams(message), taskId)
    const sent = this.send({ jsonrpc: '2.0', id: requestId, method, params }, relatedRequestId)
    try {
      await (message.lent ? sent : this.#inTime(requestId, sent))
    } catch (error) {
      // The page may have got the call and run it: what becomes of it, the end of this connection decides.
      if (message.lent && this.signal.aborted) return
      this.release(requestId)
      throw error
    }
    this.#host.emit({ type: 'delivered', ...event })
  }

  /** Settles with what was sent, however late that is; meanwhile the question counts as late. */
  async #inTime(requestId: string, sent: Promise<void>): Promise<void> {
    const stop = after(surely, () => {
      if (!this.held.has(requestId)) return
      this.late.add(requestId)
      this.#host.reviewQuestions()
    })
    await sent.finally(() => {
      stop()
      if (this.late.delete(requestId)) this.#host.reviewQuestions()
    })
  }

  /** Delivers a question again on the stream on which it was delivered before. */
  askAgain(request: RequestRecord): Promise<void> {
    return this.deliver(request, this.#asked.get(request.requestId))
  }

  /** The question is no longer on this page's screen. */
  release(requestId: string): void {
    this.held.delete(requestId)
    this.#asked.delete(requestId)
  }

  /** Takes a question from the screen: it was answered elsewhere, moved, or its task ended. */
  withdraw(requestId: string, reason: string): void {
    this.release(requestId)
    const method = 'notifications/cancelled'
    const told = this.#told(method, { requestId, reason })
      .catch((error: Error) => this.#host.onerror(error, method))
      .then(() => {
        if (this.#withdrawals.get(requestId) === told) this.#withdrawals.delete(requestId)
      })
    this.#withdrawals.set(requestId, told)
    const taskId = this.hosted.get(requestId)
    if (taskId === undefined) return
    this.request('tasks/cancel', { taskId }).catch(() => {
      // It has ended by itself, or the client is gone or cancels nothing: in no case does anybody wait for it.
    })
  }
}
