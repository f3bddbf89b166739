// Tasks before and after their creation.

import type { TaskDraft, TaskRecord } from '../../src/types.js'

export const draftOf = (more: Partial<TaskDraft> = {}): TaskDraft => ({
  taskId: crypto.randomUUID(),
  owner: 'ann',
  tool: 'work',
  arguments: {},
  capabilities: ['elicitation.form', 'sampling'],
  session: 'session-1',
  connection: 'connection-1',
  requestId: 1,
  ttl: 60_000,
  pollInterval: 60_000,
  executor: 'executor-1',
  ...more
})

/** A task as a store would have it, right after its creation. */
export function recordOf(more: Partial<TaskRecord> = {}): TaskRecord {
  const { arguments: _, ...draft } = draftOf()
  return {
    ...draft,
    seq: 1,
    status: 'working',
    createdAt: 0,
    lastUpdatedAt: 0,
    revision: 1,
    attempt: 1,
    openRequests: 0,
    messageCount: 0,
    ...more
  }
}
