// Tasks as a file: what `intab/devtools` exports and `importTasks` of `intab/testing` reads.

import type {
  MessageRecord,
  NotificationRecord,
  Outcome,
  RequestRecord,
  StepRecord,
  TaskRecord,
  TaskRows
} from './records.js'

/** What the field `format` of a file says. */
export const fileFormat = 'intab-tasks'

/** The newest layout that this build reads, and the one that it writes. */
export const fileVersion = 1

/** A file of tasks. Owners are not in it: whoever imports it says whose the tasks are. */
export interface TaskFile {
  format: typeof fileFormat
  version: number
  /** By the clock of the worker; an import moves all times by what has passed since then. */
  exportedAt: number
  /** In the order in which they are created. */
  tasks: FileTask[]
}

type Foreign = 'owner' | 'taskId'
type Without<Row> = Omit<Row, Foreign>

/** One task with all its rows, which do not repeat whose they are. */
export interface FileTask {
  task: Omit<TaskRecord, 'owner' | 'seq'>
  call: TaskRows['call']
  /** Only of a task that has ended. */
  outcome?: Outcome
  messages: (Without<RequestRecord> | Without<NotificationRecord>)[]
  steps: Omit<StepRecord, 'taskId'>[]
}

/** What one request to the worker exports. */
export type ExportedTask = Pick<TaskFile, 'version' | 'exportedAt'> & { task: FileTask }

export const toFile = ({ task, call, messages, steps }: TaskRows, outcome: Outcome | undefined): FileTask => ({
  task: withoutOwner(task),
  call,
  ...(outcome && { outcome }),
  messages: messages.map(withoutTask),
  steps: steps.map(({ taskId: _, ...step }) => step)
})

const withoutOwner = ({ owner: _, seq: __, ...task }: TaskRecord): FileTask['task'] => task

const withoutTask = ({ taskId: _, owner: __, ...message }: MessageRecord): FileTask['messages'][number] => message
