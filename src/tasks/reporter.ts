// Status messages and progress of one run, coalesced: the newest wins, one write at a time.

import type { Fence, Progress, TaskRecord, TaskStore } from '../types.js'

interface Report {
  statusMessage?: string
  progress?: Progress
}

export class Reporter {
  readonly #store: TaskStore
  readonly #fence: Fence
  readonly #onfenced: () => void
  #next: Report | undefined
  #writing: Promise<void> | undefined

  constructor(store: TaskStore, fence: Fence, onfenced: () => void) {
    this.#store = store
    this.#fence = fence
    this.#onfenced = onfenced
  }

  /** Resolves when this report, or a newer one in its place, is stored. */
  async report(report: Report): Promise<void> {
    this.#next = { ...this.#next, ...report }
    if (this.#writing !== undefined) await this.#writing.catch(() => undefined)
    if (this.#next === undefined) return this.#writing
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
    })
    return this.#writing
  }

  /** Resolves when nothing is left to write. */
  async settled(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing.catch(() => undefined)
  }

  async #write(): Promise<void> {
    const report = this.#next
    this.#next = undefined
    if (report === undefined) return
    const task: TaskRecord | undefined = await this.#store.report(this.#fence, report)
    if (task === undefined) this.#onfenced()
  }
}
