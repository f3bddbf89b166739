import type { Task } from '@modelcontextprotocol/sdk/types.js'
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
