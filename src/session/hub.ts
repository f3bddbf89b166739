// What the sessions of one worker share.

import type { Lenders } from '../lend/lenders.js'
import type { End } from '../tasks/outcome.js'
import type { Runner } from '../tasks/runner.js'
import type { Waiters } from '../tasks/waiters.js'
import type {
  Census,
  IntabEvent,
  Limits,
  Locks,
  MessageQueue,
  Roster,
  StepJournal,
  TaskRecord,
  TaskStore,
  UpdateBus
} from '../types.js'
import type { ServeOptions } from './options.js'
import type { Session } from './session.js'
import type { TaskTool } from '../tool/tool.js'

export interface Hub {
  /** This worker's generation. */
  readonly worker: string
  /** The name of this worker's lock, stamped on the tasks that it runs. */
  readonly executor: string
  readonly options: ServeOptions
  /** Why no tab can lend a tool; undefined where tabs can. */
  readonly noTab?: (tool: string) => Error
  readonly limits: Limits
  readonly tools: ReadonlyMap<string, TaskTool>
  readonly tasks: TaskStore
  readonly messages: MessageQueue
  readonly steps: StepJournal
  readonly roster: Roster
  readonly bus: UpdateBus
  readonly waiters: Waiters
  readonly runner: Runner
  readonly sessions: Set<Session>
  /** The tools that tabs lend. */
  readonly lenders: Lenders
  /** Hear every event, beside `onevent`. */
  readonly listeners: Set<(event: IntabEvent) => void>
  /** When this worker began. */
  readonly since: number
  readonly locks: Locks
  readonly census: ((owner: string) => Promise<Census>) | undefined
  /** Sends what every session of the owner should know of a task before its result. */
  announce(task: TaskRecord): void
  /** The same at the end of this turn, or before the next thing that is announced. */
  announceSoon(task: TaskRecord): void
  /** Tells who watches that a task of the owner was deleted; the owner may be unknown. */
  removed(taskId: string, owner?: string): void
  /** Notes that somebody fetched the outcome, some time later. */
  fetched(taskId: string): void
  /** Ends a task that this worker does not run or whose run is to stop. Resolves when it has ended, however often that is tried. */
  endTask(taskId: string, end: End): Promise<void>
  /** What a connection claimed is its own again, or nobody's. */
  joined(connection: string): void
  left(connection: string): void
  /** A question that could be on a screen is on none, as far as this worker knows. */
  reviewQuestions(): void
  /** The grace of a question is over. */
  offerQuestions(): void
  emit(event: IntabEvent): void
  onerror(error: Error, during: string): void
}

/** The task, if it is there and the owner's; a foreign task looks like none. */
export async function ownTask(hub: Hub, owner: string, taskId: string): Promise<TaskRecord | undefined> {
  const task = await hub.tasks.get(taskId)
  return task?.owner === owner ? task : undefined
}
