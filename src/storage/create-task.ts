import { IntabError } from '../errors.js'
import type { Limits, TaskDraft } from '../types.js'
import { sameJson } from '../plain-json.js'
import { limitReached, newTask } from '../record-changes.js'
import { type OwnerRow, startingWith, type StoredTask } from './schema.js'
import { forgetKeys, ownerRow } from './owner-row.js'
import { current, eraseOwn, toRecord } from './task-row.js'
import type { Write } from './transaction.js'

/**
 * Stores a new task, or finds the one that has its idempotency key, for which it does not look when the key is fresh. A
 * key or an id that another task has aborts the transaction with a ConstraintError; the key of one that is gone does not,
 * and is looked for in either case.
 */
export async function createTask(
  write: Write,
  draft: TaskDraft,
  limits: Limits,
  fresh: boolean
): Promise<{ row: StoredTask; created: boolean }> {
  const { now } = write
  // All at once: each wait is a round trip to the browser's process.
  const [found, owner] = await Promise.all([sameKey(write, draft, fresh), ownerRow(write, draft.owner)])
  if (found.row !== undefined) return { row: found.row, created: false }
  await makeRoom(write, owner, limits)
  const { arguments: args, meta, idempotencyKey } = draft
  if (found.isForgotten && idempotencyKey !== undefined) await forgetKeys(write, [[draft.owner, idempotencyKey]])
  const row: StoredTask = newTask(draft, owner.nextSeq, now)
  owner.nextSeq += 1
  owner.kept += 1
  owner.unfinished += 1
  write.add('tasks', row)
  write.add('calls', { taskId: row.taskId, arguments: args, ...(meta && { meta }) })
  write.put('owners', owner)
  write.changed(row.taskId, { task: toRecord(row) })
  return { row, created: true }
}

/** The task of the key, or whether the key is one that was remembered for long enough. */
async function sameKey(
  write: Write,
  draft: TaskDraft,
  fresh: boolean
): Promise<{ row?: StoredTask; isForgotten?: boolean }> {
  const { owner, idempotencyKey } = draft
  if (idempotencyKey === undefined) return {}
  const [taskId, tombstone] = await Promise.all([
    fresh ? undefined : write.tx.objectStore('tasks').index('idempotencyKey').getKey([owner, idempotencyKey]),
    write.tx.objectStore('tombstones').get([owner, idempotencyKey])
  ])
  const row = taskId === undefined ? undefined : await current(write, taskId)
  if (row !== undefined) {
    const call = row.tool === draft.tool && (await write.tx.objectStore('calls').get(row.taskId))
    if (call && sameJson(call.arguments, draft.arguments)) return { row }
    throw new IntabError('key_conflict', `The idempotency key ${idempotencyKey} belongs to another call`)
  }
  if (taskId !== undefined || (tombstone !== undefined && tombstone.expiresAt > write.now)) {
    throw new IntabError('may_have_run', 'This call has run before and its task is gone: call again with a new key')
  }
  return { isForgotten: tombstone !== undefined }
}

/** Throws before anything is deleted when there cannot be room. */
async function makeRoom(write: Write, owner: OwnerRow, limits: Limits): Promise<void> {
  if (owner.unfinished >= limits.unfinished) {
    throw limitReached(`${limits.unfinished} tasks are unfinished already: wait for one to end`, limits.unfinished)
  }
  const surplus = owner.kept + 1 - limits.kept
  if (surplus <= 0) return
  const index = write.tx.objectStore('tasks').index('spare')
  const most = Math.max(surplus, Math.min(10, Math.floor(limits.kept / 100)))
  const found = await index.getAll(startingWith(owner.owner), most)
  // Fetched ones go several at once, so that few creations wait for the search; unfetched results stay as long as they can.
  const spare = found.filter((row, n) => n < surplus || row.spare === 0)
  if (spare.length < surplus) {
    throw limitReached(`${limits.kept} tasks are kept already and none has ended: wait for one to end`, limits.kept)
  }
  await eraseOwn(write, owner, spare, limits)
}
