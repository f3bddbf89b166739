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
  readonly #ondoubt: (taskId: string) => void
  /** Tasks to read, with their owners where another worker says that they are gone; `again` where one changed while it is read. */
  readonly #reading = new Map<string, { isRead: boolean; again: boolean; owner: string | undefined }>()
  readonly #stop: () => void

  constructor(
    hub: Hub,
    questions: Questions,
    { ontask, ondoubt }: { ontask(task: TaskRecord): void; ondoubt(taskId: string): void }
  ) {
    this.#hub = hub
    this.#questions = questions
    this.#ontask = ontask
    this.#ondoubt = ondoubt
    this.#stop = hub.bus.listen((taskId, left, owner) => {
      if (left === undefined) this.#on(taskId, owner)
      else if (left.removed) this.#gone(taskId, left.task.owner)
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

  #on(taskId: string, owner?: string): void {
    if (!this.#begin(taskId, owner)) return
    // Whoever waits for the task has begun to read by then.
    afterTurn(() => {
      this.#read(taskId).catch((error: unknown) => {
        this.#hub.onerror(toError(error), `reading the update of ${taskId}, which is tried again`)
        this.#ondoubt(taskId)
      })
    })
  }

  /** Reads a task, and tells all whom it concerns what it is now. */
  async read(taskId: string): Promise<void> {
    if (this.#begin(taskId)) await this.#read(taskId)
  }

  /** False where the task is being read: it is read once more after that. */
  #begin(taskId: string, owner?: string): boolean {
    const before = this.#reading.get(taskId)
    const again = before?.isRead === true
    this.#reading.set(taskId, { isRead: true, again, owner: owner ?? before?.owner })
    return !again
  }

  async #read(taskId: string): Promise<void> {
    try {
      await this.#tell(taskId)
    } catch (error) {
      const reading = this.#reading.get(taskId)
      if (reading !== undefined) reading.isRead = false
      throw error
    }
    const { again, owner } = this.#reading.get(taskId) ?? {}
    this.#reading.delete(taskId)
    if (again) this.#on(taskId, owner)
  }

  async #tell(taskId: string): Promise<void> {
    const task = await this.#hub.tasks.get(taskId)
    if (task === undefined) this.#gone(taskId, this.#reading.get(taskId)?.owner)
    else {
      this.#hub.runner.observe(taskId, task)
      this.#hub.announce(task)
      this.#ontask(task)
    }
    if ((task?.openRequests ?? 0) > 0) {
      this.#questions.look(taskId, task, await this.#hub.messages.open({ taskId }))
    } else this.#settle(taskId, task)
  }

  #gone(taskId: string, owner: string | undefined): void {
    this.#hub.runner.observe(taskId, undefined)
    this.#hub.removed(taskId, owner)
    this.#settle(taskId, undefined)
  }

  /** Nothing of the task is open. */
  #settle(taskId: string, task: TaskRecord | undefined): void {
    if (this.#questions.concerns(taskId)) this.#questions.look(taskId, task, [])
  }
}
