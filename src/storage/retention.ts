import type { Limits, Retention } from '../types.js'
import { forgetKeys } from './owner-row.js'
import { pageSize, type ReadTx } from './schema.js'
import { eraseAll, expire, isFinal } from './task-row.js'
import type { Transactions, Write } from './transaction.js'

/** Tasks in one transaction of the sweep; each may come with a large result. */
const tasksAtOnce = 20

export function openRetention(transactions: Transactions, limits: Limits): Retention {
  return {
    async sweep() {
      while (await sweepSome(transactions, limits));
      return transactions.read(nextExpiry)
    }
  }
}

/** True when something was due, a bounded number of which is gone now. */
export async function sweepSome(transactions: Transactions, limits: Limits): Promise<boolean> {
  const next = await transactions.read(nextExpiry)
  if (next === undefined || next > Date.now()) return false
  await transactions.write('sweep', (write) => sweepPage(write, limits), true)
  return true
}

async function nextExpiry(tx: ReadTx): Promise<number | undefined> {
  const task = await tx.objectStore('tasks').index('expiresAt').openKeyCursor()
  const tombstone = await tx.objectStore('tombstones').index('expiresAt').openKeyCursor()
  const next = Math.min(task?.key ?? Infinity, tombstone?.key ?? Infinity)
  return next === Infinity ? undefined : next
}

/** Fails or deletes the tasks, and forgets the keys, that are due; a bounded number of them. */
async function sweepPage(write: Write, limits: Limits): Promise<void> {
  const { tx } = write
  const past = IDBKeyRange.upperBound(write.now)
  const due = await tx.objectStore('tasks').index('expiresAt').getAll(past, tasksAtOnce)
  await eraseAll(write, due.filter(isFinal), limits)
  for (const row of due) if (!isFinal(row)) await expire(write, row)
  await forgetKeys(write, await tx.objectStore('tombstones').index('expiresAt').getAllKeys(past, pageSize))
}
