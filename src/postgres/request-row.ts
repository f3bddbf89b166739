// One request row: how it is found, held and closed. Its task's row is locked before it is written.

import { claimed, shut } from '../record-changes.js'
import type { Claimant, NotificationRecord, RequestRecord, TaskRecord } from '../types.js'
import type { Sql, Write } from './transactions.js'

const isOpen = ({ state }: RequestRecord): boolean => state === 'pending' || state === 'delivered'

export async function findRequest(sql: Sql, requestId: string): Promise<RequestRecord | undefined> {
  const [row] = await sql<{ record: RequestRecord }>('SELECT record FROM messages WHERE request_id = $1', [requestId])
  return row?.record
}

export async function addMessage({ sql }: Write, message: RequestRecord | NotificationRecord): Promise<void> {
  const { taskId, n, owner, kind } = message
  const asked = message.kind === 'request' ? message : undefined
  await sql(
    `INSERT INTO messages (task_id, n, owner, kind, request_id, key, is_open, claimed_by, record)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      taskId,
      n,
      owner,
      kind,
      asked?.requestId ?? null,
      message.key ?? null,
      asked !== undefined && isOpen(asked),
      asked?.claimedBy ?? null,
      JSON.stringify(message)
    ]
  )
}

export async function putRequest({ sql }: Write, request: RequestRecord): Promise<RequestRecord> {
  const { taskId, n, claimedBy = null } = request
  await sql('UPDATE messages SET is_open = $3, claimed_by = $4, record = $5 WHERE task_id = $1 AND n = $2', [
    taskId,
    n,
    isOpen(request),
    claimedBy,
    JSON.stringify(request)
  ])
  return request
}

export const hold = (write: Write, row: RequestRecord, claimant: Claimant): Promise<RequestRecord> =>
  putRequest(write, claimed(row, claimant, write.now))

export async function withdrawAll(write: Write, { taskId }: TaskRecord): Promise<void> {
  const open = await write.sql<{ record: RequestRecord }>(
    'SELECT record FROM messages WHERE task_id = $1 AND is_open',
    [taskId]
  )
  for (const { record } of open) await putRequest(write, shut(record, 'withdrawn', write.now))
}
