// How one run waits for the answers to its questions: one watch, and one look a tick, however many are open.

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

  constructor(messages: MessageQueue, bus: UpdateBus, taskId: string, signal: AbortSignal) {
    this.#messages = messages
    this.#bus = bus
    this.#taskId = taskId
    this.#signal = signal
  }

  /** Resolves with the answer; rejects with the signal's reason when the task ends first. */
  to(requestId: string, onopen: (row: RequestRecord) => void): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(requestId, { onopen, resolve, reject })
      // The watch that runs is subscribed already: one look of its own, and nothing is missed.
      const work = this.#watching ? this.#look([requestId]) : this.#watch()
      work.catch((error: unknown) => this.#fail(error))
    })
  }

  async #watch(): Promise<void> {
    this.#watching = true
    try {
      for await (const _ of this.#bus.watch(this.#taskId, this.#signal)) {
        await this.#look([...this.#waiting.keys()])
        if (this.#waiting.size === 0) return
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
      const waiting = this.#waiting.get(requestId)
      if (row?.answer !== undefined) {
        this.#waiting.delete(requestId)
        waiting?.resolve(row.answer)
      } else if (row !== undefined) waiting?.onopen(row)
    }
  }

  #fail(error: unknown): void {
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}
