import type { Limits, Retention, TaskRecord } from '../types.js'
import { eraseAll, expire, isFinal } from './task-row.js'
import type { Transactions, Write } from './transactions.js'

/** Tasks in one transaction of the sweep. */
const tasksAtOnce = 20
/** Keys that one transaction of the sweep forgets. */
const keysAtOnce = 100

export function openRetention(transactions: Transactions, limits: Limits): Retention {
  return {
    async sweep() {
      while (await sweepSome(transactions, limits));
      return nextExpiry(transactions)
    }
  }
}

/** True when something was due, a bounded number of which is gone now. */
export async function sweepSome(transactions: Transactions, limits: Limits): Promise<boolean> {
  const next = await nextExpiry(transactions)
  if (next === undefined || next > Date.now()) return false
  await transactions.write('sweep', (write) => sweepPage(write, limits))
  return true
}

async function nextExpiry({ read }: Transactions): Promise<number | undefined> {
  const [row] = await read<{ next: string | null }>(
    'SELECT least((SELECT min(expires_at) FROM tasks), (SELECT min(expires_at) FROM tombstones)) AS next'
  )
  const next = row?.next ?? undefined
  return next === undefined ? undefined : Number(next)
}

/** Fails or deletes the tasks, and forgets the keys, that are due and that no other write has; a bounded number of them. */
async function sweepPage(write: Write, limits: Limits): Promise<void> {
  const { sql, now } = write
  const rows = await sql<{ record: TaskRecord }>(
    'SELECT record FROM tasks WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED',
    [now, tasksAtOnce]
  )
  const due = rows.map(({ record }) => record)
  await eraseAll(write, due.filter(isFinal), limits)
  for (const task of due) if (!isFinal(task)) await expire(write, task)
  await sql(
    `DELETE FROM tombstones WHERE (owner, idempotency_key) IN
       (SELECT owner, idempotency_key FROM tombstones WHERE expires_at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    [now, keysAtOnce]
  )
}
