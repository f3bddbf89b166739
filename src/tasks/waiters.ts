// Who waits for which task in this worker: a new question can be theirs in the write that asks it.

import { toError } from '../errors.js'
import type { Capability, Looker, MessageQueue, RequestRecord, UpdateBus } from '../types.js'

export interface Waiter {
  readonly signal: AbortSignal
  looker(): Looker
  /** Shows a question that was claimed for the looker; rejects when nobody took it. */
  show(request: RequestRecord): Promise<void>
}

export class Waiters {
  readonly #messages: MessageQueue
  readonly #onerror: (error: Error, during: string) => void
  readonly #waiters = new Map<string, Set<Waiter>>()

  constructor(messages: MessageQueue, bus: UpdateBus, onerror: (error: Error, during: string) => void) {
    this.#messages = messages
    this.#onerror = onerror
    // Here and not where it was asked: whoever asked may have been told that the store is busy.
    bus.listen((_, left) => {
      if (left?.asked && left.request?.state === 'delivered') this.#show(left.request)
    })
  }

  /** Returns the way to leave. */
  add(taskId: string, waiter: Waiter): () => void {
    const others = this.#waiters.get(taskId) ?? new Set()
    this.#waiters.set(taskId, others.add(waiter))
    return () => {
      others.delete(waiter)
      if (others.size === 0 && this.#waiters.get(taskId) === others) this.#waiters.delete(taskId)
    }
  }

  /** The first who could be shown a question that needs this. */
  find(taskId: string, needs: readonly Capability[]): Looker | undefined {
    return this.#present(taskId)
      .map((waiter) => waiter.looker())
      .find(({ can }) => needs.every((need) => can.includes(need)))
  }

  /** How many of the owner wait. */
  count(owner: string): number {
    const all = [...this.#waiters.keys()].flatMap((taskId) => this.#present(taskId))
    return all.filter((waiter) => waiter.looker().owner === owner).length
  }

  #present(taskId: string): Waiter[] {
    return [...(this.#waiters.get(taskId) ?? [])].filter(({ signal }) => !signal.aborted)
  }

  #show(request: RequestRecord): void {
    const { taskId, requestId, claimedBy } = request
    const shown = this.#present(taskId)
      .find((waiter) => waiter.looker().connection === claimedBy)
      ?.show(request)
    // Whoever left before, or could not be reached: the question is for the next.
    const giveBack = (): Promise<void> => this.#messages.giveBack(claimedBy ?? '', { only: [requestId] })
    const safe = shown === undefined ? giveBack() : shown.catch(giveBack)
    safe.catch((error: unknown) => this.#onerror(toError(error), `returning ${requestId}`))
  }
}
