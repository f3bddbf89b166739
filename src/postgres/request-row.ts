// One request row: who may answer it, who shows it, and how it ends. Its task's row is locked before it is written.

import type { Claimant, NotificationRecord, Outcome, Refusal, RequestRecord, TaskRecord } from '../types.js'
import type { Sql, Write } from './transactions.js'

/** Whether the claimant's client declared all that the request needs. */
export const canAnswer = ({ can }: Claimant, { needs }: Pick<RequestRecord, 'needs'>): boolean =>
  needs.every((need) => can.includes(need))

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
      asked?.key ?? null,
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

/** The claimant's client shows it now. */
export const claimed = (
  row: RequestRecord,
  { connection }: Pick<Claimant, 'connection'>,
  now: number
): RequestRecord => ({ ...row, state: 'delivered', claimedBy: connection, deliveredAt: now })

export const hold = (write: Write, row: RequestRecord, claimant: Claimant): Promise<RequestRecord> =>
  putRequest(write, claimed(row, claimant, write.now))

/** Nobody shows it now, and anybody may. */
export function freed(row: RequestRecord): RequestRecord {
  const pending: RequestRecord = { ...row, state: 'pending' }
  delete pending.claimedBy
  return pending
}

/** The time of a question that its holder answers again runs on from its first delivery. */
export function refused(
  row: RequestRecord,
  connection: string,
  why: Omit<Refusal, 'count'>,
  now: number
): RequestRecord {
  const here = row.claimedBy === connection ? row : claimed(row, { connection }, now)
  return { ...here, refused: { ...why, count: (row.refused?.count ?? 0) + 1 } }
}

export const answered = (row: RequestRecord, answer: Outcome): RequestRecord => ({
  ...shut(row),
  state: 'answered',
  answer
})

export async function withdrawAll(write: Write, { taskId }: TaskRecord): Promise<void> {
  const open = await write.sql<{ record: RequestRecord }>(
    'SELECT record FROM messages WHERE task_id = $1 AND is_open',
    [taskId]
  )
  for (const { record } of open) await putRequest(write, { ...shut(record), state: 'withdrawn' })
}

function shut(row: RequestRecord): RequestRecord {
  const request = { ...row }
  delete request.claimedBy
  delete request.refused
  return request
}
