// Every update of a task, of this worker or another, is read once and told to all in this worker whom it concerns.

import { toError } from '../errors.js'
import type { TaskRecord } from '../types.js'
import type { Hub } from './hub.js'
import type { Questions } from './questions.js'

export class UpdateFeed {
  readonly #hub: Hub
  readonly #questions: Questions
  readonly #ontask: (task: TaskRecord) => void
  /** Tasks now being looked at; true: look again, something came meanwhile. */
  readonly #looking = new Map<string, boolean>()
  readonly #stop: () => void

  constructor(hub: Hub, questions: Questions, ontask: (task: TaskRecord) => void) {
    this.#hub = hub
    this.#questions = questions
    this.#ontask = ontask
    this.#stop = hub.bus.listen((taskId) => this.#on(taskId))
  }

  close(): void {
    this.#stop()
  }

  #on(taskId: string): void {
    if (this.#looking.has(taskId)) {
      this.#looking.set(taskId, true)
      return
    }
    this.#looking.set(taskId, false)
    this.#look(taskId).catch((error: unknown) => {
      this.#looking.delete(taskId)
      this.#hub.onerror(toError(error), `reading the update of ${taskId}`)
    })
  }

  async #look(taskId: string): Promise<void> {
    const task = await this.#hub.tasks.get(taskId)
    this.#hub.runner.observe(taskId, task)
    if (task !== undefined) {
      this.#hub.announce(task)
      this.#ontask(task)
    } else this.#hub.removed(taskId)
    if ((task?.openRequests ?? 0) > 0) {
      this.#questions.look(taskId, task, await this.#hub.messages.open({ taskId }))
    } else if (this.#questions.concerns(taskId)) this.#questions.look(taskId, task, [])
    const again = this.#looking.get(taskId)
    this.#looking.delete(taskId)
    if (again) this.#on(taskId)
  }
}
