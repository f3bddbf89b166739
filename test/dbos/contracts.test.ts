import { afterAll, beforeAll } from 'vitest'
import { openPostgres } from '../../src/postgres/open-storage.js'
import { defaultLimits } from '../../src/limits.js'
import { allStorageContracts } from '../contract/all-storage.js'
import type { Opened } from '../contract/storage-harness.js'
import { type Postgres, startPostgres } from './postgres.js'

let postgres: Postgres
let url: string
const opened = new Set<() => Promise<void>>()

beforeAll(async () => {
  postgres = await startPostgres()
  url = await postgres.database()
}, 120_000)
afterAll(async () => {
  for (const close of opened) await close()
  await postgres.stop()
})

allStorageContracts('PostgreSQL', async (options = {}) => {
  const name = options.name ?? `s_${crypto.randomUUID()}`
  const published: string[] = []
  const events: Opened['events'] = []
  const storage = await openPostgres({
    url,
    schema: name,
    connections: 2,
    limits: { ...defaultLimits, ...options.limits },
    publish: (taskId) => void published.push(taskId),
    onevent: (event) => void events.push(event),
    checkpoint: options.checkpoint
  })
  const close = (): Promise<void> => (opened.delete(close) ? storage.close() : Promise.resolve())
  opened.add(close)
  return { ...storage, name, published, events, close: () => void close() }
})
