import type { ListQuery } from '../types.js'
import { pageSize, type ReadTx, type StoredTask } from './schema.js'
import { isExpired } from '../record-changes.js'
import { isFinal } from './task-row.js'

export interface Listing {
  rows: StoredTask[]
  next?: number
  /** Tasks that overran their ttl: fail them and look again. */
  overran: string[]
}

/** One page of an owner's tasks that match; rows past their retention count as gone. */
export async function listTasks(tx: ReadTx, owner: string, query: ListQuery): Promise<Listing> {
  const now = Date.now()
  const rows: StoredTask[] = []
  const overran: string[] = []
  // One row past the page tells whether there is another.
  const size = query.status === undefined ? Math.min(pageSize, query.limit + 1) : pageSize
  for await (const row of query.order === 'oldest'
    ? ascending(tx, owner, size, query.after)
    : descending(tx, owner, query.after)) {
    if (isExpired(row, now)) {
      if (!isFinal(row)) overran.push(row.taskId)
      continue
    }
    if (query.status !== undefined && !query.status.includes(row.status)) continue
    const last = rows.at(-1)
    if (last !== undefined && rows.length >= query.limit) return { rows, next: last.seq, overran }
    rows.push(row)
  }
  return { rows, overran }
}

async function* ascending(tx: ReadTx, owner: string, size: number, after = 0): AsyncGenerator<StoredTask> {
  const index = tx.objectStore('tasks').index('bySeq')
  for (let place = after; ;) {
    const page = await index.getAll(IDBKeyRange.bound([owner, place], [owner, []], true), size)
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < size) return
    place = last.seq
  }
}

/** A cursor: `getAll` knows one direction only, and `getAllRecords` is missing in WebKit. */
async function* descending(tx: ReadTx, owner: string, after?: number): AsyncGenerator<StoredTask> {
  const range = IDBKeyRange.bound([owner], after === undefined ? [owner, []] : [owner, after], false, true)
  for await (const { value } of tx.objectStore('tasks').index('bySeq').iterate(range, 'prev')) yield value
}
