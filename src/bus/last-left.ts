// What this worker's own writes left of each task last: who begins to wait for it need not read it.

import type { Left } from '../types.js'

/** How many tasks to remember: the newest. */
const remembered = 1000

export class LastLeft {
  /** Undefined: only the store knows. */
  readonly #tasks = new Map<string, Left | undefined>()

  get(taskId: string): Left | undefined {
    return this.#tasks.get(taskId)
  }

  /** Of an end only the store tells, which keeps the outcome. A creation may be told after what came of it. */
  note(taskId: string, left?: Left): void {
    if (left?.task.revision === 1 && this.#tasks.has(taskId)) return
    this.#tasks.delete(taskId)
    if (left?.removed) return
    this.#tasks.set(taskId, left?.outcome === undefined && left !== undefined ? { task: left.task } : undefined)
    if (this.#tasks.size <= remembered) return
    const [oldest] = this.#tasks.keys()
    if (oldest !== undefined) this.#tasks.delete(oldest)
  }

  /** Somebody may have written and died before telling. */
  doubt(): void {
    for (const taskId of this.#tasks.keys()) this.#tasks.set(taskId, undefined)
  }
}
