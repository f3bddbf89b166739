import { openDoor } from './connect-door.js'

openDoor(globalThis)
