import type { CallToolResult, Task } from '@modelcontextprotocol/sdk/types.js'
import type { Progress } from '../types.js'

/** A task as the protocol has it, with what intab adds beside it. */
export interface TaskInfo extends Task {
  /** The tool that runs. */
  tool?: string
  /** Counts the changes of the task. */
  revision?: number
  /** Which run of the handler this is, from 1. */
  attempt?: number
  /** The worker that runs it; absent when nobody does. */
  executor?: string
  /** The newest progress that the tool reported. */
  progress?: Progress
}

const object = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined

/** Reads a task off the wire, with intab's `_meta`; undefined for what is no task. */
export function taskInfo(value: unknown): TaskInfo | undefined {
  const task = object(value)
  if (typeof task?.taskId !== 'string' || typeof task.status !== 'string') return undefined
  const { _meta, ...rest } = task
  const meta = object(_meta) ?? {}
  const extra: Record<string, unknown> = {}
  for (const name of ['tool', 'revision', 'attempt', 'executor', 'progress']) {
    const told = meta[`intab/${name}`]
    if (told !== undefined) extra[name] = told
  }
  return { ...rest, ...extra } as unknown as TaskInfo
}

export const isOver = ({ status }: Task): boolean =>
  status === 'completed' || status === 'failed' || status === 'cancelled'

/** Progress increases: https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/progress */
export function progressOf(taskId: string, onprogress: (progress: Progress) => void): (task: TaskInfo) => void {
  let told = -Infinity
  return ({ taskId: of, progress }) => {
    if (of !== taskId || progress === undefined || progress.progress <= told) return
    told = progress.progress
    onprogress(progress)
  }
}

/** The params of a tools/call. */
export interface ToolCall {
  name: string
  arguments?: Record<string, unknown>
  _meta?: Record<string, unknown>
}

export interface StartOptions {
  ttl?: number | undefined
  onprogress?: ((progress: Progress) => void) | undefined
}

/** Of one run: it remembers what it was started with. */
export interface TaskWire {
  /** Calls a tool as a task. */
  start(call: ToolCall, options: StartOptions): Promise<TaskInfo>
  get(taskId: string): Promise<TaskInfo>
  cancel(taskId: string): Promise<TaskInfo>
  /** Waits for the end; tells the states that it hears of. */
  outcome(taskId: string, ontask: (task: TaskInfo) => void, signal?: AbortSignal): Promise<CallToolResult>
  /** Present when a task that was started must be waited for at once, since its questions come to nobody else. */
  onover?: () => void
}
