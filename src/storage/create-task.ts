import { IntabError } from '../errors.js'
import type { Limits, TaskDraft } from '../types.js'
import { sameJson } from '../plain-json.js'
import { pageSize, type OwnerRow, type StoredTask } from './schema.js'
import { sweepPage } from './retention.js'
import { current, erase, isFinal, ownerRow, setExpiry, toRecord } from './task-row.js'
import type { Write } from './transaction.js'
import { unawaited } from './unawaited.js'

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
  const { tx, now } = write
  // All at once: each wait is a round trip to the browser's process.
  const [found, owner] = await Promise.all([sameKey(write, draft, fresh), ownerRow(tx, draft.owner)])
  if (found !== undefined) return { row: found, created: false }
  if (isFull(owner, limits)) Object.assign(owner, await makeRoom(write, draft.owner, limits))
  const row: StoredTask = {
    ...draft,
    seq: owner.nextSeq,
    status: 'working',
    createdAt: now,
    lastUpdatedAt: now,
    revision: 1,
    attempt: 1,
    openRequests: 0,
    messageCount: 0
  }
  setExpiry(row, now)
  owner.nextSeq += 1
  owner.kept += 1
  owner.unfinished += 1
  unawaited(tx, tx.objectStore('tasks').add(row))
  unawaited(tx, tx.objectStore('owners').put(owner))
  write.changed(row.taskId, { task: toRecord(row) })
  return { row, created: true }
}

async function sameKey(write: Write, draft: TaskDraft, fresh: boolean): Promise<StoredTask | undefined> {
  const { owner, idempotencyKey } = draft
  if (idempotencyKey === undefined) return undefined
  const [taskId, tombstone] = await Promise.all([
    fresh ? undefined : write.tx.objectStore('tasks').index('idempotencyKey').getKey([owner, idempotencyKey]),
    write.tx.objectStore('tombstones').get([owner, idempotencyKey])
  ])
  const row = taskId === undefined ? undefined : await current(write, taskId)
  if (row !== undefined) {
    if (row.tool === draft.tool && sameJson(row.arguments, draft.arguments)) return row
    throw new IntabError('key_conflict', `The idempotency key ${idempotencyKey} belongs to another call`)
  }
  if (taskId !== undefined || (tombstone !== undefined && tombstone.expiresAt > write.now)) {
    throw new IntabError('may_have_run', 'This call has run before and its task is gone: call again with a new key')
  }
  return undefined
}

/** Resolves with the owner's counters as they are then. */
async function makeRoom(write: Write, name: string, limits: Limits): Promise<OwnerRow> {
  await sweepPage(write)
  const owner = await ownerRow(write.tx, name)
  if (owner.unfinished >= limits.unfinished) {
    throw limitReached(`${limits.unfinished} tasks are unfinished already: wait for one to end`, limits.unfinished)
  }
  const surplus = owner.kept + 1 - limits.kept
  if (surplus <= 0) return owner
  if ((await evict(write, name, surplus)) < surplus) {
    throw limitReached(`${limits.kept} tasks are kept already and none has ended: wait for one to end`, limits.kept)
  }
  return ownerRow(write.tx, name)
}

const isFull = (owner: OwnerRow, limits: Limits): boolean =>
  owner.unfinished >= limits.unfinished || owner.kept >= limits.kept

/**
 * Deletes the oldest final tasks, in each page fetched ones first: to find the oldest fetched task of all
 * would mean to read all of them at each creation.
 */
async function evict(write: Write, owner: string, surplus: number): Promise<number> {
  const index = write.tx.objectStore('tasks').index('bySeq')
  let gone = 0
  for (let after = 0; ;) {
    const page = await index.getAll(IDBKeyRange.bound([owner, after], [owner, []], true), pageSize)
    const final = page.filter(isFinal)
    const inOrder = [
      ...final.filter((row) => row.fetchedAt !== undefined),
      ...final.filter((row) => row.fetchedAt === undefined)
    ]
    for (const row of inOrder.slice(0, surplus - gone)) {
      await erase(write, row)
      gone += 1
    }
    const last = page.at(-1)
    if (gone === surplus || last === undefined || page.length < pageSize) return gone
    after = last.seq
  }
}

export const limitReached = (message: string, limit: number): IntabError =>
  new IntabError('limit_reached', message, { limit })
