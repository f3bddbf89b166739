import type { Fence, FinalStatus, TaskRecord, TaskStatus } from '../types.js'

/** https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#task-status-lifecycle */
export const isFinal = (status: TaskStatus): status is FinalStatus =>
  status === 'completed' || status === 'failed' || status === 'cancelled'

export const fenceOf = ({ taskId, executor, attempt }: TaskRecord): Fence => ({ taskId, executor, attempt })

/** True while the one with this fence still runs the task. */
export const holds = (fence: Fence, task: TaskRecord | undefined): boolean =>
  task !== undefined && !isFinal(task.status) && task.executor === fence.executor && task.attempt === fence.attempt
