// What is counted of one owner, read once in a write however often it changes.

import { keysKept } from '../record-changes.js'
import type { Limits } from '../types.js'
import { type OwnerRow, startingWith, type Tombstone } from './schema.js'
import type { Write } from './transaction.js'

const known = new WeakMap<Write, Map<string, Promise<OwnerRow>>>()

/** The counters as this write has them by now; whoever changes them puts them back. */
export function ownerRow(write: Write, owner: string): Promise<OwnerRow> {
  const rows = known.get(write) ?? new Map<string, Promise<OwnerRow>>()
  known.set(write, rows)
  const row = rows.get(owner) ?? read(write, owner)
  rows.set(owner, row)
  return row
}

const read = async ({ tx }: Write, owner: string): Promise<OwnerRow> =>
  (await tx.objectStore('owners').get(owner)) ?? { owner, unfinished: 0, kept: 0, nextSeq: 1 }

export interface Change {
  unfinished?: number
  kept?: number
  keys?: number
}

export function add(row: OwnerRow, { unfinished = 0, kept = 0, keys = 0 }: Change): void {
  row.unfinished += unfinished
  row.kept += kept
  if (keys !== 0) row.keys = (row.keys ?? 0) + keys
}

export async function count(write: Write, owner: string, by: Change): Promise<void> {
  const row = await ownerRow(write, owner)
  add(row, by)
  write.put('owners', row)
}

/** Of an owner's keys, only the newest are kept. Of too many, a tenth goes at once: that costs less than one at a time. */
export async function boundKeys(write: Write, row: OwnerRow, limits: Limits): Promise<void> {
  const most = keysKept(limits)
  const surplus = (row.keys ?? 0) - most
  if (surplus <= 0) return
  const index = write.tx.objectStore('tombstones').index('oldest')
  await forgetKeys(write, await index.getAllKeys(startingWith(row.owner), surplus + Math.floor(most / 10) - 1))
}

export async function forgetKeys(
  write: Write,
  keys: readonly [Tombstone['owner'], Tombstone['idempotencyKey']][]
): Promise<void> {
  const gone = new Map<string, number>()
  for (const key of keys) {
    write.delete('tombstones', key)
    gone.set(key[0], (gone.get(key[0]) ?? 0) + 1)
  }
  for (const [owner, number] of gone) await count(write, owner, { keys: -number })
}
