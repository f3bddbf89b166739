// Notes in one write who fetched their outcomes in the last moment, after the answers went out.

import type { TaskStore } from '../types.js'

/** Milliseconds; a worker that dies first loses no more than the note. */
const moment = 500

export class Fetched {
  readonly #tasks: TaskStore
  readonly #ondue: () => void
  readonly #ids = new Set<string>()
  #timer: ReturnType<typeof setTimeout> | undefined

  /** `ondue` is to call `write`, until it succeeds. */
  constructor(tasks: TaskStore, ondue: () => void) {
    this.#tasks = tasks
    this.#ondue = ondue
  }

  note(taskId: string): void {
    this.#ids.add(taskId)
    this.#timer ??= setTimeout(() => this.#ondue(), moment)
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  async write(): Promise<void> {
    const ids = [...this.#ids]
    if (ids.length === 0) return
    this.#ids.clear()
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#tasks.markFetched(ids).catch((error: unknown) => {
      for (const taskId of ids) this.#ids.add(taskId)
      throw error
    })
  }
}
