import { afterAll, beforeAll } from 'vitest'
import { PostgresTaskMessageQueue, PostgresTaskStore } from '../../src/postgres.js'
import { sdkMessageQueueContract } from '../contract/sdk-message-queue-contract.js'
import { sdkTaskListContract } from '../contract/sdk-task-list-contract.js'
import { sdkTaskStoreContract } from '../contract/sdk-task-store-contract.js'
import { sdkTaskTtlContract } from '../contract/sdk-task-ttl-contract.js'
import { type Postgres, startPostgres } from './postgres.js'

let postgres: Postgres
let url: string
const opened: { close(): Promise<void> }[] = []

beforeAll(async () => {
  postgres = await startPostgres()
  url = await postgres.database()
}, 120_000)
afterAll(async () => {
  await Promise.all(opened.map((each) => each.close()))
  await postgres.stop()
})

const options = () => ({ url, schema: `s_${crypto.randomUUID()}`, connections: 2 })
const kept = <T extends { close(): Promise<void> }>(store: T): T => {
  opened.push(store)
  return store
}
const openStore = (): PostgresTaskStore => kept(new PostgresTaskStore(options()))

sdkTaskStoreContract('PostgresTaskStore', openStore)
sdkTaskListContract('PostgresTaskStore', openStore)
sdkTaskTtlContract('PostgresTaskStore', openStore)
sdkMessageQueueContract('PostgresTaskMessageQueue', () => kept(new PostgresTaskMessageQueue(options())))
