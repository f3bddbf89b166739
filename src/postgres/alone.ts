// One process at a time, without a statement that waits: that would keep CREATE INDEX CONCURRENTLY of the other from its end.
// https://www.postgresql.org/docs/current/functions-admin.html#FUNCTIONS-ADVISORY-LOCKS

import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'

/** Milliseconds between tries. */
const interval = 100

/** Acts while no other process does so under the name, in this database. */
export async function alone<T>(url: string, name: string, act: () => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  // Whoever acts hears of it by its own connections.
  client.on('error', () => undefined)
  await client.connect()
  try {
    for (;;) {
      const { rows } = await client.query<{ got: boolean }>('SELECT pg_try_advisory_lock(hashtext($1)) AS got', [name])
      if (rows[0]?.got) break
      await wait(interval)
    }
    return await act()
  } finally {
    // Which frees the lock.
    await client.end()
  }
}
