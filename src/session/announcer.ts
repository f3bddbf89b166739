// notifications/tasks/status and notifications/progress: from the rows, to whoever should know, never backwards.

import { afterTurn } from '../link/turn.js'
import type { JsonObject, TaskRecord } from '../types.js'
import type { Hub } from './hub.js'
import { projectTask, withRelatedTask } from './project-task.js'

interface Told {
  owner: string
  revision: number
  status: string
  statusMessage: string | undefined
  progress: number
}

/** How many tasks to remember: the newest, of which only unfinished ones still change. */
const remembered = 2000

export class Announcer {
  readonly #told = new Map<string, Told>()
  #due: TaskRecord[] = []

  /** Ids of the tasks of which something was told. */
  get told(): Iterable<string> {
    return this.#told.keys()
  }

  /** Tells it at the end of this turn, or before anything else is told: whoever waits for the task goes first. */
  tellSoon(hub: Pick<Hub, 'sessions'>, task: TaskRecord): void {
    if (this.#due.push(task) === 1) afterTurn(() => this.#catchUp(hub))
  }

  /** Tells every session of the owner that knows of tasks of a change of status or message, and the connection that called the tool of progress. */
  tell(hub: Pick<Hub, 'sessions'>, task: TaskRecord): void {
    this.#catchUp(hub)
    this.#tell(hub, task)
  }

  #catchUp(hub: Pick<Hub, 'sessions'>): void {
    const due = this.#due
    this.#due = []
    for (const task of due) this.#tell(hub, task)
  }

  #tell(hub: Pick<Hub, 'sessions'>, task: TaskRecord): void {
    const { taskId, revision, status, statusMessage, owner } = task
    const told = this.#told.get(taskId)
    if (told !== undefined && told.revision >= revision) return
    const progress = this.#tellProgress(hub, task, told?.progress ?? -Infinity)
    this.#remember(taskId, { owner, revision, status, statusMessage, progress })
    const params = projectTask(task) as unknown as JsonObject
    if (told?.status !== status || told.statusMessage !== statusMessage) {
      for (const session of hub.sessions) {
        if (session.owner === owner && session.hearsOfTasks) session.tell('notifications/tasks/status', params)
      }
    } else tellWatchers(hub, owner, 'notifications/intab/task', params)
  }

  /** Tells the sessions that watch that a task was deleted; of a task that never changed here only its owner can tell. */
  tellRemoved(hub: Pick<Hub, 'sessions'>, taskId: string, known?: string): void {
    this.#catchUp(hub)
    const owner = known ?? this.#told.get(taskId)?.owner
    if (owner === undefined) return
    this.#told.delete(taskId)
    tellWatchers(hub, owner, 'notifications/intab/removed', { taskId })
  }

  /** Progress must increase; a handler that runs again starts below what was told: https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/progress */
  #tellProgress({ sessions }: Pick<Hub, 'sessions'>, task: TaskRecord, told: number): number {
    const { progress, progressToken, connection, taskId } = task
    if (progress === undefined || progress.progress <= told) return told
    if (progressToken === undefined) return progress.progress
    for (const session of sessions) {
      if (session.connection !== connection) continue
      const params = withRelatedTask({ ...progress, progressToken }, taskId)
      session.tell('notifications/progress', params)
    }
    return progress.progress
  }

  #remember(taskId: string, told: Told): void {
    this.#told.delete(taskId)
    this.#told.set(taskId, told)
    if (this.#told.size <= remembered) return
    const [oldest] = this.#told.keys()
    if (oldest !== undefined) this.#told.delete(oldest)
  }
}

function tellWatchers({ sessions }: Pick<Hub, 'sessions'>, owner: string, method: string, params: JsonObject): void {
  for (const session of sessions) if (session.watches && session.owner === owner) session.tell(method, params)
}
