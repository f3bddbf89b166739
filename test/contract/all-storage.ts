import { answerContract } from './answer-contract.js'
import { expiryContract } from './expiry-contract.js'
import { lentCallContract } from './lent-call-contract.js'
import { limitsContract } from './limits-contract.js'
import { messageQueueContract } from './message-queue-contract.js'
import { rosterContract } from './roster-contract.js'
import type { Open } from './storage-harness.js'
import { taskListContract } from './task-list-contract.js'
import { taskStoreContract } from './task-store-contract.js'

/** Every suite that a storage must pass, whatever database it is in. */
export function allStorageContracts(name: string, open: Open): void {
  taskStoreContract(name, open)
  taskListContract(name, open)
  messageQueueContract(name, open)
  answerContract(name, open)
  rosterContract(name, open)
  expiryContract(name, open)
  limitsContract(name, open)
  lentCallContract(name, open)
}
