import {
  InMemoryTaskMessageQueue,
  InMemoryTaskStore
} from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js'
import { onTestFinished } from 'vitest'
import { sdkMessageQueueContract } from '../../contract/sdk-message-queue-contract.js'
import { sdkTaskListContract } from '../../contract/sdk-task-list-contract.js'
import { sdkTaskStoreContract } from '../../contract/sdk-task-store-contract.js'
import { sdkTaskTtlContract } from '../../contract/sdk-task-ttl-contract.js'
import { openQueue, openStore } from './fixture.js'

function inMemory(): InMemoryTaskStore {
  const store = new InMemoryTaskStore()
  onTestFinished(() => store.cleanup())
  return store
}

for (const [name, open] of [
  ['IndexedDbTaskStore', () => openStore()],
  ['InMemoryTaskStore', inMemory]
] as const) {
  sdkTaskStoreContract(name, open)
  sdkTaskListContract(name, open)
  sdkTaskTtlContract(name, open)
}

sdkMessageQueueContract('IndexedDbTaskMessageQueue', () => openQueue())
sdkMessageQueueContract('InMemoryTaskMessageQueue', () => new InMemoryTaskMessageQueue())
