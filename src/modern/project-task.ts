// A record as the extension io.modelcontextprotocol/tasks of MCP 2026-07-28 shows it.
// https://modelcontextprotocol.github.io/ext-tasks/specification/2026-07-28/tasks.html

import { shownParams } from '../tasks/input-request.js'
import { modernOutcome } from './modern-error.js'
import type { Json, JsonObject, Outcome, RequestRecord, TaskRecord } from '../types.js'

/** What an `input_required` result or task asks of the client, by the key of the answer. */
export type InputRequests = Record<string, { method: string; params: JsonObject }>

interface TaskFields {
  taskId: string
  statusMessage?: string
  /** ISO 8601. */
  createdAt: string
  lastUpdatedAt: string
  /** Milliseconds from creation; null: kept for ever. */
  ttlMs: number | null
  /** Milliseconds, above 0; absent when the tool does not mind how often it is asked. */
  pollIntervalMs?: number
  _meta: JsonObject
}

export type ModernTask = TaskFields &
  (
    | { status: 'working' | 'cancelled' }
    | { status: 'input_required'; inputRequests: InputRequests }
    | { status: 'completed'; result: JsonObject }
    | { status: 'failed'; error: JsonObject }
  )

const iso = (time: number): string => new Date(time).toISOString()

/** The tool's own name for a question where it has one; unique in the task's life, as the row's key is. */
export function keyOf({ key }: RequestRecord): string {
  const [, name] = /^elicit:([^#:]+)$/s.exec(key) ?? []
  return name ?? key
}

/** What only MCP 2025-11-25 knows of a question. */
const onlyLegacy = new Set(['task', 'elicitationId'])

export function projectQuestions(open: readonly RequestRecord[]): InputRequests {
  const asked = open.map((request) => {
    const kept = Object.entries(shownParams(request)).filter(([name]) => !onlyLegacy.has(name))
    return [keyOf(request), { method: request.method, params: Object.fromEntries(kept) }] as const
  })
  return Object.fromEntries(asked)
}

/** The task without what it asks or came to: what a call is answered with when it became a task. */
export function projectFields(task: TaskRecord): TaskFields & { status: TaskRecord['status'] } {
  const { taskId, status, statusMessage, createdAt, lastUpdatedAt, expiresAt, pollInterval, progress } = task
  return {
    taskId,
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt: iso(createdAt),
    lastUpdatedAt: iso(lastUpdatedAt),
    ttlMs: expiresAt === undefined ? null : Math.max(1, Math.ceil(expiresAt - createdAt)),
    ...(pollInterval >= 1 && { pollIntervalMs: Math.ceil(pollInterval) }),
    _meta: {
      'intab/tool': task.tool,
      'intab/revision': task.revision,
      'intab/attempt': task.attempt,
      ...(progress !== undefined && { 'intab/progress': { ...progress } })
    }
  }
}

/** The whole task. A tool's own `isError` result is `completed` there; `failed` is for JSON-RPC errors alone. */
export function projectTask(
  task: TaskRecord,
  outcome: Outcome | undefined,
  open: readonly RequestRecord[]
): ModernTask {
  const fields = projectFields(task)
  const { status } = fields
  if (status === 'input_required') return { ...fields, status, inputRequests: projectQuestions(open) }
  if (status === 'working' || status === 'cancelled') return { ...fields, status }
  // Final, and its outcome not read: whoever asks reads both in one look.
  if (outcome === undefined) return { ...fields, status: 'working' }
  const end = modernOutcome(outcome)
  if ('error' in end) return { ...fields, status: 'failed', error: { ...end.error } }
  const result: Record<string, Json> = { resultType: 'complete', ...end.result }
  return { ...fields, status: 'completed', result }
}
