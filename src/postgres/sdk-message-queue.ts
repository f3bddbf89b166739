// The SDK's TaskMessageQueue, with its rules and its words, in PostgreSQL.

import type { QueuedMessage, TaskMessageQueue } from '@modelcontextprotocol/sdk/experimental/tasks/interfaces.js'
import { plainJson } from '../plain-json.js'
import { type PostgresStoreOptions, SdkTables } from './sdk-tables.js'

interface Row {
  n: string
  message: QueuedMessage
}

/**
 * Messages per task, first in, first out, for every process of a server. As in the SDK's own queue the session says nothing:
 * ids of tasks are unique, and the store decides who sees which task. With the schema of a PostgresTaskStore messages go when
 * their task expires; alone, they stay until somebody takes them. Fails as PostgresTaskStore does.
 */
export class PostgresTaskMessageQueue implements TaskMessageQueue {
  readonly #tables: SdkTables

  constructor(options: PostgresStoreOptions) {
    this.#tables = new SdkTables(options)
  }

  /** Rejects with the SDK's text, and adds nothing, when the task has `maxSize` messages already. */
  async enqueue(taskId: string, message: QueuedMessage, _sessionId?: string, maxSize = Infinity): Promise<void> {
    const kept = plainJson(message, 'message').value
    await this.#tables.write(async (client) => {
      // Whoever adds to one task does it one after the other: their order and number count.
      await client.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`intab queue ${taskId}`])
      if (maxSize !== Infinity) {
        const { rows } = await client.query<{ size: number }>(
          'SELECT count(*)::integer AS size FROM messages WHERE task_id = $1',
          [taskId]
        )
        const size = rows[0]?.size ?? 0
        if (size >= maxSize) {
          throw new Error(`Task message queue overflow: queue size (${size}) exceeds maximum (${maxSize})`)
        }
      }
      await client.query('INSERT INTO messages (task_id, message) VALUES ($1, $2)', [taskId, JSON.stringify(kept)])
    }, taskId)
  }

  /** Removes the oldest message; undefined when there is none. */
  async dequeue(taskId: string, _sessionId?: string): Promise<QueuedMessage | undefined> {
    return (await this.#take(taskId, 1))[0]
  }

  /** Removes all messages of the task, oldest first. */
  async dequeueAll(taskId: string, _sessionId?: string): Promise<QueuedMessage[]> {
    return this.#take(taskId, null)
  }

  /** Lets go of the database, whose content stays; later calls reject with `closed`. */
  close(): Promise<void> {
    return this.#tables.close()
  }

  /** Of two that take at once, the second waits, and finds what the first left. */
  async #take(taskId: string, limit: number | null): Promise<QueuedMessage[]> {
    return this.#tables.write(async (client) => {
      await client.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`intab queue ${taskId}`])
      const { rows } = await client.query<Row>(
        `DELETE FROM messages WHERE n IN (SELECT n FROM messages WHERE task_id = $1 ORDER BY n LIMIT $2)
         RETURNING n, message`,
        [taskId, limit]
      )
      return rows.toSorted((one, other) => Number(one.n) - Number(other.n)).map(({ message }) => message)
    }, taskId)
  }
}
