import { onTestFinished } from 'vitest'
import { IndexedDbTaskMessageQueue } from '../../../src/storage/sdk-message-queue.js'
import type { StoreOptions } from '../../../src/storage/sdk-database.js'
import { IndexedDbTaskStore } from '../../../src/storage/sdk-task-store.js'

export const freshName = (): string => `test:${crypto.randomUUID()}`

/** A store over a fresh database, or over one by its name; closed after the test. */
export function openStore(options: StoreOptions = {}): IndexedDbTaskStore {
  const store = new IndexedDbTaskStore({ name: freshName(), ...options })
  onTestFinished(() => store.close())
  return store
}

/** As openStore, for a queue. */
export function openQueue(options: StoreOptions = {}): IndexedDbTaskMessageQueue {
  const queue = new IndexedDbTaskMessageQueue({ name: freshName(), ...options })
  onTestFinished(() => queue.close())
  return queue
}
