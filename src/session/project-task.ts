// A record as MCP 2025-11-25 shows it.

import type { Task } from '@modelcontextprotocol/sdk/types.js'
import type { Json, JsonObject, TaskRecord } from '../types.js'

export const RELATED_TASK = 'io.modelcontextprotocol/related-task'
export const IMMEDIATE_RESPONSE = 'io.modelcontextprotocol/model-immediate-response'

const iso = (time: number): string => new Date(time).toISOString()

/** The task with what intab tells beyond the protocol in its `_meta`: `intab/tool`, `intab/revision`, `intab/executor`, `intab/attempt`, `intab/progress`. */
export function projectTask(record: TaskRecord): Task & { _meta: JsonObject } {
  const { taskId, status, statusMessage, ttl, pollInterval, createdAt, lastUpdatedAt, progress } = record
  return {
    taskId,
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt: iso(createdAt),
    lastUpdatedAt: iso(lastUpdatedAt),
    ttl,
    pollInterval,
    _meta: {
      'intab/tool': record.tool,
      'intab/revision': record.revision,
      'intab/attempt': record.attempt,
      ...(record.executor !== '' && { 'intab/executor': record.executor }),
      ...(progress !== undefined && { 'intab/progress': { ...progress } })
    }
  }
}

/** Params or a result that name their task: https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#related-task-metadata */
export function withRelatedTask(body: JsonObject, taskId: string, more: JsonObject = {}): JsonObject {
  const meta: Json = body._meta ?? {}
  const known = typeof meta === 'object' && meta !== null && !Array.isArray(meta) ? meta : {}
  return { ...body, _meta: { ...known, ...more, [RELATED_TASK]: { taskId } } }
}
