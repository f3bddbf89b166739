// What lies on disk behind the SDK's own interfaces. A version that shipped is frozen: change the layout by a new one.

import type { QueuedMessage } from '@modelcontextprotocol/sdk/experimental/tasks/interfaces.js'
import type { Result, Task } from '@modelcontextprotocol/sdk/types.js'
import type { DBSchema, StoreNames } from 'idb'
import type { Connection, ReadTx } from './schema.js'
import type { Write } from './transaction.js'

export interface SdkTaskRow {
  /** Creation order, given by the database. */
  seq: number
  /** See `sessionKey`. */
  session: string
  /** What the SDK sees, and nothing more: it puts a task on the wire as it gets it. */
  task: Task
  /** Absent when the task is kept for ever, so that its index holds nothing that never expires. */
  expiresAt?: number
}

export interface SdkSchema extends DBSchema {
  tasks: {
    key: number
    value: SdkTaskRow
    indexes: { taskId: string; session: [string, number]; expiresAt: number }
  }
  /** Apart from their tasks, so that listing reads no large results. */
  results: { key: string; value: { taskId: string; result: Result } }
  /** In the order of `n`, given by the database. */
  messages: {
    key: number
    value: { n: number; taskId: string; message: QueuedMessage }
    indexes: { taskId: string }
  }
}

export type SdkReadTx = ReadTx<SdkSchema>
export type SdkWrite = Write<SdkSchema>

export const sdkVersion = 1

export const sdkStores: StoreNames<SdkSchema>[] = ['tasks', 'results', 'messages']

/** Nobody's tasks have a key that no session can have, the empty one included. */
export const sessionKey = (sessionId: string | undefined): string => (sessionId === undefined ? '' : `:${sessionId}`)

export function sdkUpgrade(db: Connection<SdkSchema>): void {
  const tasks = db.createObjectStore('tasks', { keyPath: 'seq', autoIncrement: true })
  tasks.createIndex('taskId', 'task.taskId', { unique: true })
  tasks.createIndex('session', ['session', 'seq'], { unique: true })
  tasks.createIndex('expiresAt', 'expiresAt')
  db.createObjectStore('results', { keyPath: 'taskId' })
  const messages = db.createObjectStore('messages', { keyPath: 'n', autoIncrement: true })
  messages.createIndex('taskId', 'taskId')
}
