// Notes in one write who fetched their outcomes in the last moment, after the answers went out.

import { toError } from '../errors.js'
import type { TaskStore } from '../types.js'

/** Milliseconds; a worker that dies first loses no more than the note. */
const moment = 500

export class Fetched {
  readonly #tasks: TaskStore
  readonly #onerror: (error: Error) => void
  #ids = new Set<string>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(tasks: TaskStore, onerror: (error: Error) => void) {
    this.#tasks = tasks
    this.#onerror = onerror
  }

  note(taskId: string): void {
    this.#ids.add(taskId)
    this.#timer ??= setTimeout(() => this.#write(), moment)
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  #write(): void {
    const ids = [...this.#ids]
    this.#ids = new Set()
    this.#timer = undefined
    this.#tasks.markFetched(ids).catch((error: unknown) => this.#onerror(toError(error)))
  }
}
