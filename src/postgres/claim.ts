import type { Left, Looker, MessageRecord, Outcome, Snapshot, TaskRecord } from '../types.js'
import { hold } from './request-row.js'
import { isExpired } from '../record-changes.js'
import { current, isFinal, lockTask, saveRequests } from './task-row.js'
import type { Sql, Write } from './transactions.js'

/** Messages that one look hands out. */
const pageSize = 100

/** What one look found; nothing is claimed yet. */
export interface Look {
  task: TaskRecord
  outcome: Outcome | undefined
  /** In order of `n`; the requests among them are pending, and the looker can take them. */
  messages: MessageRecord[]
  more: boolean
}

/** The snapshot that a look would give, when what a write left tells it: nothing is overdue, open or unread. */
export function seen({ task, outcome, request }: Left, { owner, place, connection }: Looker): Snapshot | undefined {
  const shown = request?.claimedBy === connection ? 1 : 0
  if (task.owner !== owner || task.openRequests > shown || task.messageCount > place) return undefined
  if (isExpired(task, Date.now())) return undefined
  return { task, ...(outcome && { outcome }), messages: [], more: false }
}

/** The task, its outcome and its next messages as of one moment. Undefined when unknown, foreign or past its retention. */
export async function look(sql: Sql, taskId: string, { owner, place, can }: Looker): Promise<Look | undefined> {
  const [row] = await sql<{ record: TaskRecord; outcome: Outcome | null; messages: MessageRecord[] | null }>(
    `SELECT record, outcome, (
       SELECT json_agg(next.record ORDER BY next.n) FROM (
         SELECT m.n, m.record FROM messages m
         WHERE m.task_id = tasks.task_id AND (
           (m.kind = 'notification' AND m.n > $2::bigint) OR
           (m.is_open AND m.claimed_by IS NULL AND (m.record->'needs')::jsonb <@ $3::jsonb))
         ORDER BY m.n LIMIT $4
       ) next
     ) AS messages
     FROM tasks LEFT JOIN outcomes USING (task_id) WHERE task_id = $1`,
    [taskId, place, JSON.stringify(can), pageSize + 1]
  )
  if (row === undefined || row.record.owner !== owner) return undefined
  if (isFinal(row.record) && isExpired(row.record, Date.now())) return undefined
  const found = row.messages ?? []
  const messages = found.slice(0, pageSize)
  return { task: row.record, outcome: row.outcome ?? undefined, messages, more: found.length > messages.length }
}

/** Looks, and claims what it found in the same transaction. */
export async function lookAndClaim(write: Write, taskId: string, looker: Looker): Promise<Snapshot | undefined> {
  const task = await lockTask(write, taskId)
  if (task !== undefined && isExpired(task, write.now)) await current(write, taskId)
  const found = await look(write.sql, taskId, looker)
  if (found === undefined) return undefined
  const messages: MessageRecord[] = []
  for (const message of found.messages) {
    messages.push(message.kind === 'request' ? await hold(write, message, looker) : message)
  }
  const claimed = messages.filter((message) => message.kind === 'request')
  if (claimed.length > 0) await saveRequests(write, found.task, claimed)
  return asSnapshot({ ...found, messages })
}

/** As a snapshot, when there was nothing to claim. */
export const asSnapshot = ({ task, outcome, messages, more }: Look): Snapshot => ({
  task,
  ...(outcome && { outcome }),
  messages,
  more
})
