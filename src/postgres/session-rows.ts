// The sessions of clients of 2025-11-25, which every process must find.

import type { JsonObject } from '../types.js'
import type { Transactions } from './transactions.js'

/** Milliseconds after which a session goes that nobody used. */
const kept = 7 * 24 * 60 * 60_000
/** Sessions of one owner; beyond them, those go that were used least recently. */
const most = 1_000

export interface SessionRow {
  owner: string
  /** The params of `initialize`. */
  initialize: JsonObject
  /** What its client shows that it wants to hear of; the number only grows. */
  hears: number
}

export interface SessionRows {
  /** Resolves with the ids of those that went because of it. */
  add(id: string, row: Omit<SessionRow, 'hears'>): Promise<string[]>
  /** Reads it, and notes that it is in use. */
  find(id: string): Promise<SessionRow | undefined>
  use(id: string): Promise<void>
  hear(id: string, hears: number): Promise<void>
  remove(id: string): Promise<void>
}

export function openSessionRows({ read }: Transactions): SessionRows {
  return {
    async add(id, { owner, initialize }) {
      const now = Date.now()
      await read('INSERT INTO sessions (id, owner, initialize, used_at) VALUES ($1, $2, $3, $4)', [
        id,
        owner,
        JSON.stringify(initialize),
        now
      ])
      const gone = await read<{ id: string }>(
        `DELETE FROM sessions WHERE used_at < $1 OR id IN
           (SELECT id FROM sessions WHERE owner = $2 AND id <> $3 ORDER BY used_at DESC OFFSET $4)
         RETURNING id`,
        [now - kept, owner, id, most - 1]
      )
      return gone.map((row) => row.id)
    },

    async find(id) {
      const [row] = await read<SessionRow>(
        'UPDATE sessions SET used_at = $2 WHERE id = $1 RETURNING owner, initialize, hears',
        [id, Date.now()]
      )
      return row
    },

    async use(id) {
      await read('UPDATE sessions SET used_at = $2 WHERE id = $1', [id, Date.now()])
    },

    async hear(id, hears) {
      await read('UPDATE sessions SET hears = greatest(hears, $2) WHERE id = $1', [id, hears])
    },

    async remove(id) {
      await read('DELETE FROM sessions WHERE id = $1', [id])
    }
  }
}
