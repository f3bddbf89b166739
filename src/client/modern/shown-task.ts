// A task as the extension io.modelcontextprotocol/tasks shows it, read as the tab's functions tell of it in both revisions.

import { HERE } from '../../modern/keys.js'
import { type TaskInfo, taskInfo } from '../task-info.js'

export interface InputRequest {
  method: string
  params?: Record<string, unknown>
}

export interface ShownTask {
  task: TaskInfo
  /** Open questions by key. */
  requests: Record<string, InputRequest>
  /** Keys of those that this connection shows; undefined of a server that does not tell. */
  here: readonly string[] | undefined
  result: Record<string, unknown> | undefined
  error: { code: number; message: string; data?: unknown } | undefined
}

const object = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined

const without = (shown: Record<string, unknown>, ...names: string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(shown).filter(([name]) => !names.includes(name)))

/** The same as MCP 2025-11-25 shows it; a tool that failed by itself is `failed` there. */
export function asSessionTask(shown: Record<string, unknown>): Record<string, unknown> {
  const { ttlMs: ttl = null, pollIntervalMs: pollInterval, ...rest } = shown
  const status = rest.status === 'completed' && object(rest.result)?.isError === true ? 'failed' : rest.status
  const task = without(rest, 'resultType', 'inputRequests', 'result', 'error')
  return { ...task, status, ttl, ...(pollInterval !== undefined && { pollInterval }) }
}

/** Undefined for what is no task. */
export function shownTask(value: unknown): ShownTask | undefined {
  const shown = object(value) ?? {}
  const task = taskInfo(asSessionTask(shown))
  if (task === undefined) return undefined
  const here = object(shown._meta)?.[HERE]
  const result = object(shown.result)
  return {
    task,
    requests: (object(shown.inputRequests) ?? {}) as ShownTask['requests'],
    here: Array.isArray(here) ? here : undefined,
    result: result && without(result, 'resultType'),
    error: object(shown.error) as ShownTask['error']
  }
}
