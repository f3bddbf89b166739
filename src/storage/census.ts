// How much is stored, and what goes next.

import type { Census } from '../types.js'
import { estimate } from './quota.js'
import { pageSize, stores } from './schema.js'
import type { Transactions } from './transaction.js'
import { toRecord } from './task-row.js'

/** Tasks that are named of those that expire next. */
const named = 5

/** Counts the rows of everybody, which takes time in proportion; `next` are the owner's among the next to expire. */
export async function takeCensus(transactions: Transactions, owner: string): Promise<Census> {
  const [counted, use] = await Promise.all([
    transactions.read(async (tx) => {
      const counts = await Promise.all(stores.map((store) => tx.objectStore(store).count()))
      const due = await tx.objectStore('tasks').index('expiresAt').getAll(undefined, pageSize)
      return { counts, due: due.filter((task) => task.owner === owner).slice(0, named) }
    }),
    estimate()
  ])
  const rows = Object.fromEntries(stores.map((store, n) => [store, counted.counts[n] ?? 0]))
  return { rows, ...use, next: counted.due.map(toRecord) }
}
