// One request row: who may answer it, who shows it, and how it ends.

import type { Claimant, Outcome, Refusal, RequestRecord } from '../types.js'
import { pageSize, type ReadTx, type StoredRequest, type StoredTask, startingWith } from './schema.js'
import type { Write } from './transaction.js'

/** The record without what only an index needs. */
export function toRequest(row: StoredRequest): RequestRecord {
  const request = { ...row }
  delete request.openTask
  return request
}

/** Whether the claimant's client declared all that the request needs. */
export const canAnswer = ({ can }: Claimant, { needs }: Pick<RequestRecord, 'needs'>): boolean =>
  needs.every((need) => can.includes(need))

export async function findRequest(tx: ReadTx, requestId: string): Promise<StoredRequest | undefined> {
  const row = await tx.objectStore('messages').index('requestId').get(requestId)
  return row?.kind === 'request' ? row : undefined
}

/** Pending and delivered requests whose index key is in the range, in order of owner, task and `n`. */
export async function* openRequests(tx: ReadTx, range: IDBKeyRange | null): AsyncGenerator<StoredRequest> {
  const index = tx.objectStore('messages').index('open')
  for (let rest = range; ;) {
    const page = await index.getAll(rest, pageSize)
    for (const message of page) if (message.kind === 'request') yield message
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return
    const after = [last.owner, last.taskId, last.n]
    rest = range === null ? IDBKeyRange.lowerBound(after, true) : IDBKeyRange.bound(after, range.upper, true)
  }
}

/** The claimant's page shows it now. */
export const claimed = (
  row: StoredRequest,
  { connection }: Pick<Claimant, 'connection'>,
  now: number
): StoredRequest => ({
  ...row,
  state: 'delivered',
  claimedBy: connection,
  deliveredAt: now
})

export function hold(write: Write, row: StoredRequest, claimant: Claimant): RequestRecord {
  const held = claimed(row, claimant, write.now)
  write.put('messages', held)
  return toRequest(held)
}

/** Nobody shows it now, and anybody may. */
export function freed(row: StoredRequest): StoredRequest {
  const pending: StoredRequest = { ...row, state: 'pending' }
  delete pending.claimedBy
  return pending
}

/** The time of a question that its holder answers again runs on from its first delivery. */
export function refused(
  row: StoredRequest,
  connection: string,
  why: Omit<Refusal, 'count'>,
  now: number
): StoredRequest {
  const here = row.claimedBy === connection ? row : claimed(row, { connection }, now)
  return { ...here, refused: { ...why, count: (row.refused?.count ?? 0) + 1 } }
}

export const answered = (row: StoredRequest, answer: Outcome): StoredRequest => ({
  ...shut(row),
  state: 'answered',
  answer
})

export async function withdrawAll(write: Write, { owner, taskId }: StoredTask): Promise<void> {
  for await (const row of openRequests(write.tx, startingWith(owner, taskId))) {
    write.put('messages', { ...shut(row), state: 'withdrawn' })
  }
}

function shut(row: StoredRequest): StoredRequest {
  const request = { ...row }
  delete request.openTask
  delete request.claimedBy
  delete request.refused
  return request
}
