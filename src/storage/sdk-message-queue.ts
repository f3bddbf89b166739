// The SDK's TaskMessageQueue, with its rules and its words, in IndexedDB.

import type { QueuedMessage, TaskMessageQueue } from '@modelcontextprotocol/sdk/experimental/tasks/interfaces.js'
import { copied } from './sdk-copy.js'
import { SdkDatabase, type StoreOptions } from './sdk-database.js'

/**
 * Messages per task, first in, first out. As in the SDK's own queue the session says nothing: ids of tasks are unique,
 * and the store decides who sees which task. With the name of an IndexedDbTaskStore it shares that store's database, and
 * messages go when their task expires; alone, they stay until somebody takes them. Fails as IndexedDbTaskStore does.
 */
export class IndexedDbTaskMessageQueue implements TaskMessageQueue {
  readonly #database: SdkDatabase

  constructor(options: StoreOptions = {}) {
    this.#database = new SdkDatabase(options)
  }

  /** Rejects with the SDK's text, and adds nothing, when the task has `maxSize` messages already. */
  async enqueue(taskId: string, message: QueuedMessage, _sessionId?: string, maxSize = Infinity): Promise<void> {
    const row = { taskId, message: copied(message, 'The message') }
    await this.#database.write('enqueue', async (write) => {
      const messages = write.tx.objectStore('messages')
      const size = maxSize === Infinity ? 0 : await messages.index('taskId').count(taskId)
      if (size >= maxSize) {
        throw new Error(`Task message queue overflow: queue size (${size}) exceeds maximum (${maxSize})`)
      }
      write.add('messages', row as typeof row & { n: number })
    })
  }

  /** Removes the oldest message; undefined when there is none. */
  async dequeue(taskId: string, _sessionId?: string): Promise<QueuedMessage | undefined> {
    return this.#database.write('dequeue', async (write) => {
      const row = await write.tx.objectStore('messages').index('taskId').get(taskId)
      if (row !== undefined) write.delete('messages', row.n)
      return row?.message
    })
  }

  /** Removes all messages of the task, oldest first. */
  async dequeueAll(taskId: string, _sessionId?: string): Promise<QueuedMessage[]> {
    return this.#database.write('dequeue all', async (write) => {
      const rows = await write.tx.objectStore('messages').index('taskId').getAll(taskId)
      for (const { n } of rows) write.delete('messages', n)
      return rows.map(({ message }) => message)
    })
  }

  /** Closes the database and keeps its content; later calls reject with `closed`. */
  close(): void {
    this.#database.close()
  }
}
