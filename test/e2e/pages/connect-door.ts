// The least that a worker can be: it answers every request with who it is, and how many pages it knows.

import type { DoorScope, FrontDoor } from '../../../src/link/front-door.js'
import { openFrontDoor } from '../../../src/link/front-door.js'
import { isRequest } from '../../../src/link/json-rpc.js'
import { webLocks } from '../../../src/link/locks.js'

export function openDoor(scope: DoorScope): FrontDoor {
  const locks = webLocks()
  const worker = crypto.randomUUID()
  const lock = `worker:${worker}`
  const held = locks.hold(lock).then(() => lock)
  const door = openFrontDoor(
    scope,
    locks,
    () => held,
    async ({ transport }) => {
      transport.onmessage = (message) => {
        if (!isRequest(message)) return
        const result = { worker, connections: door.connections() }
        transport.send({ jsonrpc: '2.0', id: message.id, result }).catch((error: unknown) => {
          if (!transport.signal.aborted) throw error
        })
      }
      await transport.start()
      return { version: 1, worker, lock }
    }
  )
  return door
}
