// A record as the extension io.modelcontextprotocol/tasks of revision 2026-07-28 shows it. Nothing serves it yet: it is
// here so that the records hold no shape that only one revision knows.
// https://modelcontextprotocol.github.io/ext-tasks/specification/2026-07-28/tasks.html

import type { ErrorObject, JsonObject, Outcome, RequestRecord, TaskRecord } from '../types.js'

interface ExtensionTaskBase {
  taskId: string
  statusMessage?: string
  /** ISO 8601. */
  createdAt: string
  lastUpdatedAt: string
  /** Milliseconds; null: for ever. */
  ttlMs: number | null
  pollIntervalMs: number
}

export type ExtensionTask = ExtensionTaskBase &
  (
    | { status: 'working' | 'cancelled' }
    | { status: 'input_required'; inputRequests: Record<string, { method: string; params: JsonObject }> }
    | { status: 'completed'; result: JsonObject }
    | { status: 'failed'; error: ErrorObject }
  )

/** Questions ride in the task by their request id; a tool's own `isError` result is `completed` there. */
export function projectExtension(
  task: TaskRecord,
  outcome: Outcome | undefined,
  open: readonly RequestRecord[]
): ExtensionTask {
  const base: ExtensionTaskBase = {
    taskId: task.taskId,
    ...(task.statusMessage !== undefined && { statusMessage: task.statusMessage }),
    createdAt: new Date(task.createdAt).toISOString(),
    lastUpdatedAt: new Date(task.lastUpdatedAt).toISOString(),
    ttlMs: task.ttl,
    pollIntervalMs: task.pollInterval
  }
  if (task.status === 'input_required') {
    const asked = open.map(({ requestId, method, params }) => [requestId, { method, params }] as const)
    return { ...base, status: 'input_required', inputRequests: Object.fromEntries(asked) }
  }
  if (task.status === 'working' || task.status === 'cancelled' || outcome === undefined) {
    return { ...base, status: task.status === 'cancelled' ? 'cancelled' : 'working' }
  }
  if ('error' in outcome) return { ...base, status: 'failed', error: outcome.error }
  return { ...base, status: 'completed', result: outcome.result }
}
