// Pages of tasks in creation order, by key range: a page costs the same wherever it lies.

import type { Task } from '@modelcontextprotocol/sdk/types.js'
import { pageSize as rowsAtOnce } from './schema.js'
import { type SdkReadTx, type SdkTaskRow, sessionKey } from './sdk-schema.js'
import { find, isExpired } from './sdk-task-row.js'

/** Tasks in one page, as the SDK's own store has it. */
const pageSize = 10

/** Resolved by `IndexedDbTaskStore.listTasks`. */
export interface SdkTaskPage {
  /** In order of creation. */
  tasks: Task[]
  /** Absent on the last page. */
  nextCursor?: string
}

/** Rejects with the SDK's text when the cursor is neither one of ours nor the id of a task that the session can see. */
export async function listPage(tx: SdkReadTx, cursor?: string, sessionId?: string): Promise<SdkTaskPage> {
  const place = cursor ? await placeOf(tx, cursor, sessionId) : 0
  const rows = await collect(tx, place, pageSize + 1, pageSize + 1, sessionId)
  const page = rows.slice(0, pageSize)
  const tasks = page.map(({ task }) => task)
  const last = page.at(-1)
  return rows.length > pageSize && last !== undefined ? { tasks, nextCursor: `after:${last.seq}` } : { tasks }
}

/** All tasks of all sessions. */
export async function listAll(tx: SdkReadTx): Promise<Task[]> {
  return (await collect(tx, 0, Infinity, rowsAtOnce)).map(({ task }) => task)
}

/** A cursor of ours outlives its task: a task that expires between two pages ends no listing. */
async function placeOf(tx: SdkReadTx, cursor: string, sessionId?: string): Promise<number> {
  const seq = /^after:(\d+)$/.exec(cursor)?.[1]
  if (seq !== undefined) return Number(seq)
  const row = await find(tx, cursor, sessionId)
  if (row === undefined) throw new Error(`Invalid cursor: ${cursor}`)
  return row.seq
}

async function collect(
  tx: SdkReadTx,
  place: number,
  limit: number,
  atOnce: number,
  sessionId?: string
): Promise<SdkTaskRow[]> {
  const now = Date.now()
  const found: SdkTaskRow[] = []
  for (let after = place; found.length < limit;) {
    const rows = await rowsAfter(tx, after, atOnce, sessionId)
    found.push(...rows.filter((row) => !isExpired(row, now)))
    const last = rows.at(-1)
    if (last === undefined || rows.length < atOnce) break
    after = last.seq
  }
  return found.slice(0, limit)
}

/** A session sees its own tasks and nobody's: two ranges, merged. */
async function rowsAfter(tx: SdkReadTx, after: number, count: number, sessionId?: string): Promise<SdkTaskRow[]> {
  const tasks = tx.objectStore('tasks')
  if (sessionId === undefined) return tasks.getAll(IDBKeyRange.lowerBound(after, true), count)
  const ranges = [sessionKey(undefined), sessionKey(sessionId)].map((key) =>
    tasks.index('session').getAll(IDBKeyRange.bound([key, after], [key, Infinity], true), count)
  )
  const rows = (await Promise.all(ranges)).flat()
  return rows.sort((one, other) => one.seq - other.seq).slice(0, count)
}
