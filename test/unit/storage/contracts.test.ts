import { allStorageContracts } from '../../contract/all-storage.js'
import { open } from './fixture.js'

allStorageContracts('IndexedDB', open)
