// How one run waits for the answers to its questions: one watch, and one look a tick at most, however many are open.

import { endOfWatch } from '../errors.js'
import type { MessageQueue, Outcome, RequestRecord, UpdateBus } from '../types.js'
import { persist } from './persist.js'

interface Waiting {
  /** Called with the row at each look while it is open. */
  onopen(row: RequestRecord): void
  resolve(answer: Outcome): void
  reject(error: unknown): void
}

export class Answers {
  readonly #messages: MessageQueue
  readonly #bus: UpdateBus
  readonly #taskId: string
  readonly #signal: AbortSignal
  readonly #waiting = new Map<string, Waiting>()
  #watching = false
  /** Questions that are now being stored. */
  #storing = 0
  /** Ticks after which a question of ours may be open no longer. */
  #changes = 0

  constructor(messages: MessageQueue, bus: UpdateBus, taskId: string, signal: AbortSignal) {
    this.#messages = messages
    this.#bus = bus
    this.#taskId = taskId
    this.#signal = signal
  }

  /**
   * Stores a question and resolves with its answer; it watches before it stores, so that the row that comes back is its
   * first look. Rejects with what `store` rejects with, and with the signal's reason when the task ends first.
   */
  async to(store: () => Promise<RequestRecord>, onopen: (row: RequestRecord) => void): Promise<Outcome> {
    this.#storing += 1
    this.#begin()
    const before = this.#changes
    let answer: Outcome | Promise<Outcome>
    try {
      const row = await store()
      answer = row.answer ?? this.#wait(row, onopen, this.#changes !== before)
    } finally {
      this.#storing -= 1
    }
    return answer
  }

  #wait(row: RequestRecord, onopen: (row: RequestRecord) => void, changed: boolean): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(row.requestId, { onopen, resolve, reject })
      if (!this.#watching) this.#begin()
      else if (changed) this.#look([row.requestId]).catch((error: unknown) => this.#fail(error))
      else onopen(row)
    })
  }

  #begin(): void {
    if (!this.#watching) this.#watch().catch((error: unknown) => this.#fail(error))
  }

  async #watch(): Promise<void> {
    this.#watching = true
    let begun = false
    try {
      for await (const left of this.#bus.watch(this.#taskId, this.#signal)) {
        const first = !begun
        begun = true
        if (first || left === undefined) {
          if (!first) this.#changes += 1
          await this.#look([...this.#waiting.keys()])
        } else if (left.request !== undefined) {
          if (left.request.answer !== undefined) this.#changes += 1
          this.#see(left.request)
        }
        if (this.#waiting.size === 0 && this.#storing === 0) return
      }
      throw endOfWatch(this.#signal)
    } finally {
      this.#watching = false
    }
  }

  async #look(requestIds: readonly string[]): Promise<void> {
    const { open, request } = this.#messages
    const stillOpen = new Map<string, RequestRecord>()
    if (requestIds.length > 1) {
      const rows = await persist(() => open({ taskId: this.#taskId }), this.#signal)
      for (const row of rows) stillOpen.set(row.requestId, row)
    }
    for (const requestId of requestIds) {
      const row = stillOpen.get(requestId) ?? (await persist(() => request(this.#taskId, requestId), this.#signal))
      if (row !== undefined) this.#see(row)
    }
  }

  #see(row: RequestRecord): void {
    const waiting = this.#waiting.get(row.requestId)
    if (row.answer === undefined) return waiting?.onopen(row)
    this.#waiting.delete(row.requestId)
    waiting?.resolve(row.answer)
  }

  #fail(error: unknown): void {
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}
