// What may happen to one task row inside a transaction, with all that belongs to it.

import { closeRun, type End, expiry, isExpired, keyRetention, setExpiry } from '../record-changes.js'
import type { Fence, Left, Limits, RequestRecord, TaskRecord } from '../types.js'
import { withdrawAll } from './request-row.js'
import { add, boundKeys, count, ownerRow } from './owner-row.js'
import { type OwnerRow, startingWith, type StoredTask } from './schema.js'
import type { Write } from './transaction.js'

/** The record without what only an index needs. */
export function toRecord(row: StoredTask): TaskRecord {
  const record = { ...row, executor: row.executor ?? '' }
  delete record.spare
  return record
}

export const isFinal = (row: StoredTask): boolean => row.executor === undefined

/** The task as it is by now: undefined when unknown or past its retention; one that overran its ttl is failed first. */
export async function current(write: Write, taskId: string): Promise<StoredTask | undefined> {
  const row = await write.tx.objectStore('tasks').get(taskId)
  if (row === undefined || !isExpired(row, write.now)) return row
  if (isFinal(row)) return undefined
  return expire(write, row)
}

/** The unfinished task that the fence's executor runs in this attempt, if it still does. */
export async function fenced(write: Write, fence: Fence): Promise<StoredTask | undefined> {
  const row = await current(write, fence.taskId)
  return row !== undefined && isFenceOf(row, fence) ? row : undefined
}

/** Whether the fence's executor runs the task in this attempt; nobody runs one that has ended. */
export const isFenceOf = (row: StoredTask, fence: Fence): boolean =>
  row.executor === fence.executor && row.attempt === fence.attempt

/** Every change of a task row goes through here; `beside` is what else the write changed. */
export function save(write: Write, row: StoredTask, beside: Omit<Left, 'task'> = {}): StoredTask {
  row.revision += 1
  row.lastUpdatedAt = write.now
  write.put('tasks', row)
  write.changed(row.taskId, { task: toRecord(row), ...beside })
  return row
}

/** A change of requests of a task: whoever watches it sees another revision. */
export function saveRequests(write: Write, row: StoredTask, requests: readonly RequestRecord[]): void {
  const [request, ...others] = requests
  save(write, row, request && { request })
  if (others.length > 0) write.changed(row.taskId)
}

export async function end(write: Write, row: StoredTask, { status, outcome, statusMessage }: End): Promise<StoredTask> {
  if (row.openRequests > 0) await withdrawAll(write, row)
  write.put('outcomes', { taskId: row.taskId, outcome })
  await count(write, row.owner, { unfinished: -1 })
  row.status = status
  if (statusMessage !== undefined) row.statusMessage = statusMessage
  row.openRequests = 0
  delete row.openCalls
  closeRun(row, write.now)
  delete row.executor
  row.spare = 1
  setExpiry(row, write.now)
  return save(write, row, { outcome })
}

export async function expire(write: Write, row: StoredTask): Promise<StoredTask> {
  const failed = await end(write, row, expiry(row))
  write.emit({ type: 'expired', task: toRecord(failed) })
  return failed
}

/** Deletes tasks of one owner, and counts them; whoever calls puts the owner's row back. */
export async function eraseOwn(
  write: Write,
  owner: OwnerRow,
  rows: readonly StoredTask[],
  limits: Limits
): Promise<void> {
  for (const row of rows) erase(write, row)
  add(owner, {
    kept: -rows.length,
    unfinished: -rows.filter((row) => !isFinal(row)).length,
    keys: rows.filter((row) => row.idempotencyKey !== undefined).length
  })
  await boundKeys(write, owner, limits)
}

/** Deletes the task with all its rows; its idempotency key is remembered for a day. */
function erase(write: Write, row: StoredTask): void {
  const { taskId, owner, idempotencyKey } = row
  write.delete('tasks', taskId)
  write.delete('calls', taskId)
  // Only what can be there: a request costs as much where it finds nothing.
  if (isFinal(row)) write.delete('outcomes', taskId)
  if (row.messageCount > 0) write.delete('messages', startingWith(taskId))
  if (row.provenAttempt !== undefined) write.delete('steps', startingWith(taskId))
  if (idempotencyKey !== undefined) {
    write.put('tombstones', { owner, idempotencyKey, expiresAt: write.now + keyRetention })
  }
  const task = toRecord(row)
  write.changed(taskId, { task, removed: true })
  write.emit({ type: 'removed', task })
}

/** Deletes tasks of any owners, and counts them. */
export async function eraseAll(write: Write, rows: readonly StoredTask[], limits: Limits): Promise<void> {
  for (const name of new Set(rows.map((row) => row.owner))) {
    const owner = await ownerRow(write, name)
    const own = rows.filter((row) => row.owner === name)
    await eraseOwn(write, owner, own, limits)
    write.put('owners', owner)
  }
}

/** The run got further: its death is no sign that the task kills its worker. Nobody else would see a difference. */
export function prove(write: Write, row: StoredTask): void {
  if (row.provenAttempt === row.attempt) return
  row.provenAttempt = row.attempt
  write.put('tasks', row)
}
