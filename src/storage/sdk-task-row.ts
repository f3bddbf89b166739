// One task of the SDK's: found, changed, expired.

import type { Task } from '@modelcontextprotocol/sdk/types.js'
import { type SdkReadTx, type SdkTaskRow, type SdkWrite, sessionKey } from './sdk-schema.js'

/** Tasks that one transaction of the sweep deletes; each may come with many messages. */
const tasksAtOnce = 20

export const isFinal = ({ status }: Task): boolean =>
  status === 'completed' || status === 'failed' || status === 'cancelled'

export const isExpired = ({ expiresAt = Infinity }: SdkTaskRow, now: number): boolean => expiresAt <= now

/** The SDK's rule: no ttl, and a ttl of 0, mean for ever. */
export const expiry = (ttl: number | null, now: number): { expiresAt?: number } =>
  ttl === null || ttl === 0 ? {} : { expiresAt: now + ttl }

/** Undefined when unknown, expired, or another session's; who gives no session sees all, and all see what nobody owns. */
export async function find(tx: SdkReadTx, taskId: string, sessionId?: string): Promise<SdkTaskRow | undefined> {
  const row = await tx.objectStore('tasks').index('taskId').get(taskId)
  if (row === undefined || isExpired(row, Date.now())) return undefined
  const foreign = sessionId !== undefined && row.session !== '' && row.session !== sessionKey(sessionId)
  return foreign ? undefined : row
}

/** As `find`, but throws the SDK's text when there is none. */
export async function existing(tx: SdkReadTx, taskId: string, sessionId?: string): Promise<SdkTaskRow> {
  const row = await find(tx, taskId, sessionId)
  if (row === undefined) throw new Error(`Task with ID ${taskId} not found`)
  return row
}

/** Writes a change; `renewed` starts the ttl anew. */
export function change(
  write: SdkWrite,
  { task, expiresAt, ...row }: SdkTaskRow,
  changes: Partial<Task>,
  renewed: boolean
): void {
  const { now } = write
  const kept = expiresAt === undefined ? {} : { expiresAt }
  const lastUpdatedAt = new Date(now).toISOString()
  write.put('tasks', {
    ...row,
    task: { ...task, ...changes, lastUpdatedAt },
    ...(renewed ? expiry(task.ttl, now) : kept)
  })
}

/** Deletes some of what has expired, each with its result and its messages; true when there may be more. */
export async function sweepSome(write: SdkWrite): Promise<boolean> {
  const { tx } = write
  const past = IDBKeyRange.upperBound(write.now)
  const rows = await tx.objectStore('tasks').index('expiresAt').getAll(past, tasksAtOnce)
  for (const { seq, task } of rows) {
    const messages = await tx.objectStore('messages').index('taskId').getAllKeys(task.taskId)
    write.delete('tasks', seq)
    write.delete('results', task.taskId)
    for (const n of messages) write.delete('messages', n)
  }
  return rows.length === tasksAtOnce
}
