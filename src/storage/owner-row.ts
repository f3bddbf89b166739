// The counters of one owner, read once in a write however often they change.

import { type OwnerRow } from './schema.js'
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

export async function count(write: Write, owner: string, by: { unfinished?: number; kept?: number }): Promise<void> {
  const row = await ownerRow(write, owner)
  row.unfinished += by.unfinished ?? 0
  row.kept += by.kept ?? 0
  write.put('owners', row)
}
