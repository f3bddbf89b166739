import { openBus } from '../../../src/bus/update-bus.js'
import { allStorageContracts } from '../../contract/all-storage.js'
import { updateBusContract } from '../../contract/update-bus-contract.js'
import { open } from '../../unit/storage/fixture.js'
import { runAll } from './vitest-in-page.js'

allStorageContracts('IndexedDB', open)
updateBusContract('BroadcastChannel', openBus)
self.postMessage(await runAll())
