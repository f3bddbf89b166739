// Every update of a task, of this worker or another, is told to all in this worker whom it concerns: as the write left it
// when that was ours, read once when it was another's.

import { toError } from '../errors.js'
import { afterTurn } from '../link/turn.js'
import { isFinal } from '../tasks/status.js'
import type { Left, TaskRecord } from '../types.js'
import type { Hub } from './hub.js'
import type { Questions } from './questions.js'

export class UpdateFeed {
  readonly #hub: Hub
  readonly #questions: Questions
  readonly #ontask: (task: TaskRecord) => void
  /** Tasks now being read; true: read again, something came meanwhile. */
  readonly #reading = new Map<string, boolean>()
  readonly #stop: () => void

  constructor(hub: Hub, questions: Questions, ontask: (task: TaskRecord) => void) {
    this.#hub = hub
    this.#questions = questions
    this.#ontask = ontask
    this.#stop = hub.bus.listen((taskId, left) => {
      if (left === undefined) this.#on(taskId)
      else this.#left(left)
    })
  }

  close(): void {
    this.#stop()
  }

  #left({ task, request }: Left): void {
    this.#hub.runner.observe(task.taskId, task)
    this.#hub.announceSoon(task)
    this.#ontask(task)
    if (request !== undefined) this.#questions.see(request, task)
    // Of its creation others may have been told only after it asked something.
    else if (task.openRequests === 0 && task.revision > 1) this.#settle(task.taskId, task)
    // A claim of the same transaction shows only in the course of this turn what was settled behind it.
    if (isFinal(task.status)) afterTurn(() => this.#settle(task.taskId, task))
    else if (request?.answer !== undefined) afterTurn(() => this.#questions.see(request, task))
  }

  #on(taskId: string): void {
    if (this.#reading.has(taskId)) {
      this.#reading.set(taskId, true)
      return
    }
    this.#reading.set(taskId, false)
    // Whoever waits for the task has begun to read by then.
    afterTurn(() => {
      this.#read(taskId).catch((error: unknown) => {
        this.#reading.delete(taskId)
        this.#hub.onerror(toError(error), `reading the update of ${taskId}`)
      })
    })
  }

  async #read(taskId: string): Promise<void> {
    const task = await this.#hub.tasks.get(taskId)
    this.#hub.runner.observe(taskId, task)
    if (task === undefined) this.#hub.removed(taskId)
    else {
      this.#hub.announce(task)
      this.#ontask(task)
    }
    if ((task?.openRequests ?? 0) > 0) {
      this.#questions.look(taskId, task, await this.#hub.messages.open({ taskId }))
    } else this.#settle(taskId, task)
    const again = this.#reading.get(taskId)
    this.#reading.delete(taskId)
    if (again) this.#on(taskId)
  }

  /** Nothing of the task is open. */
  #settle(taskId: string, task: TaskRecord | undefined): void {
    if (this.#questions.concerns(taskId)) this.#questions.look(taskId, task, [])
  }
}
