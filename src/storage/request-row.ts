// One request row: how it is found, held and closed.

import { claimed, shut } from '../record-changes.js'
import type { Claimant, RequestRecord } from '../types.js'
import { pageSize, type ReadTx, type StoredRequest, type StoredTask, startingWith } from './schema.js'
import type { Write } from './transaction.js'

/** The record without what only an index needs. */
export function toRequest(row: StoredRequest): RequestRecord {
  const request = { ...row }
  delete request.openTask
  return request
}

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

export function hold(write: Write, row: StoredRequest, claimant: Claimant): RequestRecord {
  const held = claimed(row, claimant, write.now)
  write.put('messages', held)
  return toRequest(held)
}

export async function withdrawAll(write: Write, { owner, taskId }: StoredTask): Promise<void> {
  for await (const row of openRequests(write.tx, startingWith(owner, taskId))) {
    write.put('messages', closed(row, 'withdrawn', write.now))
  }
}

/** It is open no more. */
export function closed(...change: Parameters<typeof shut<StoredRequest>>): StoredRequest {
  const request = shut(...change)
  delete request.openTask
  return request
}
