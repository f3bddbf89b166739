import { answerContract } from '../../contract/answer-contract.js'
import { expiryContract } from '../../contract/expiry-contract.js'
import { limitsContract } from '../../contract/limits-contract.js'
import { messageQueueContract } from '../../contract/message-queue-contract.js'
import { rosterContract } from '../../contract/roster-contract.js'
import { taskListContract } from '../../contract/task-list-contract.js'
import { taskStoreContract } from '../../contract/task-store-contract.js'
import { open } from './fixture.js'

taskStoreContract('IndexedDB', open)
taskListContract('IndexedDB', open)
messageQueueContract('IndexedDB', open)
answerContract('IndexedDB', open)
rosterContract('IndexedDB', open)
expiryContract('IndexedDB', open)
limitsContract('IndexedDB', open)
