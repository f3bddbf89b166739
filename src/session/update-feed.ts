// Every update of a task, of this worker or another, is told to all in this worker whom it concerns: as the write left it
// when that was ours, read once when it was another's.

import { toError } from '../errors.js'
import { afterTurn } from '../link/turn.js'
import type { TaskRecord } from '../types.js'
import type { Hub } from './hub.js'
import type { Questions } from './questions.js'

export class UpdateFeed {
  readonly #hub: Hub
  readonly #questions: Questions
  readonly #ontask: (task: TaskRecord) => void
  /** Tasks now being looked at; true: look again, something came meanwhile. */
  readonly #looking = new Map<string, boolean>()
  readonly #left: Map<string, TaskRecord | undefined>
  readonly #stop: () => void

  /** `left`: tasks as a write of this worker left them, of which the bus is about to tell; they are taken out of it. */
  constructor(
    hub: Hub,
    questions: Questions,
    left: Map<string, TaskRecord | undefined>,
    ontask: (task: TaskRecord) => void
  ) {
    this.#hub = hub
    this.#questions = questions
    this.#left = left
    this.#ontask = ontask
    this.#stop = hub.bus.listen((taskId) => this.#on(taskId))
  }

  close(): void {
    this.#stop()
  }

  #on(taskId: string): void {
    if (this.#looking.has(taskId)) {
      const known = this.#left.get(taskId)
      if (known !== undefined) this.#tell(taskId, known)
      this.#looking.set(taskId, true)
      return
    }
    this.#looking.set(taskId, false)
    // Whoever created a task is to have its id before anybody tells of it.
    if (this.#left.get(taskId)?.revision === 1) afterTurn(() => this.#begin(taskId))
    else this.#begin(taskId)
  }

  #begin(taskId: string): void {
    this.#look(taskId).catch((error: unknown) => {
      this.#looking.delete(taskId)
      this.#hub.onerror(toError(error), `reading the update of ${taskId}`)
    })
  }

  async #look(taskId: string): Promise<void> {
    const known = this.#left.get(taskId)
    this.#left.delete(taskId)
    const task = known ?? (await this.#hub.tasks.get(taskId))
    this.#tell(taskId, task)
    if ((task?.openRequests ?? 0) > 0) {
      this.#questions.look(taskId, task, await this.#hub.messages.open({ taskId }))
    } else if (this.#questions.concerns(taskId)) this.#questions.look(taskId, task, [])
    const again = this.#looking.get(taskId)
    this.#looking.delete(taskId)
    if (again) this.#on(taskId)
  }

  #tell(taskId: string, task: TaskRecord | undefined): void {
    this.#hub.runner.observe(taskId, task)
    if (task === undefined) return this.#hub.removed(taskId)
    this.#hub.announce(task)
    this.#ontask(task)
  }
}
