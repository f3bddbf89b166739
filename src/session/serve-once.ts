// A server from the moment it asks for its lock to the moment it lets it go.

import type { IntabError } from '../errors.js'
import type { Connection, Welcome } from '../link/front-door.js'
import { openFrontDoor } from '../link/front-door.js'
import type { Locks } from '../types.js'
import { openSession } from './open-session.js'
import { databaseOf, type ServeOptions } from './options.js'
import { type Started, start } from './start.js'

export interface Server {
  /** Resolves when tabs are served; rejects with why not (each tab is told the same). */
  readonly ready: Promise<void>
  /** Stops serving: handlers abort, their tasks are left to the next worker. */
  close(): void
}

/** Serves until it is closed; what it ran is then left to whoever holds another lock. */
export function serveOnce(options: ServeOptions, locks: Locks): Server {
  const worker = crypto.randomUUID()
  let superseded: IntabError | undefined
  const open = new Set<Connection>()

  const executor = `${databaseOf(options)}:executor:${worker}`
  const held = locks.hold(executor)
  held.catch(() => undefined)
  const started: Promise<Started> = start(options, locks, { worker, executor, held }, (reason) => {
    superseded = reason
    for (const connection of open) connection.transport.close({ superseded: true }).catch(() => undefined)
  })
  const ready = started.then(() => undefined)
  // Every tab that comes is told why; whoever waits for `ready` as well.
  ready.catch(() => undefined)

  const accept = async (connection: Connection): Promise<Welcome> => {
    const { hub, onready } = await started
    if (superseded !== undefined) throw superseded
    const { hello, transport, signal } = connection
    if (!signal.aborted) open.add(connection)
    signal.addEventListener('abort', () => open.delete(connection), { once: true })
    const info = { id: hello.session, connection: hello.connection, data: hello.data }
    await openSession(hub, { info, transport, holding: hello.holding, signal }, onready)
    return { version: 1, worker, lock: hub.executor }
  }
  const door = openFrontDoor(
    options.scope ?? globalThis,
    locks,
    held.then(() => executor),
    accept
  )

  return {
    ready,
    close() {
      door.close()
      // Also the lock of a server that could not start, which tabs take for a sign of life while they are told why.
      started
        .then(
          (server) => server.close(),
          () => undefined
        )
        .then(() => held)
        .then(
          (letGo) => letGo(),
          () => undefined
        )
    }
  }
}
