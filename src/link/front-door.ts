// The worker's side of a connection's beginning: one door, a port of its own for everyone who enters.

import { expose } from 'comlink'
import { IntabError, toError } from '../errors.js'
import type { Json, Locks } from '../types.js'
import { drain, pause } from './attempt.js'
import { earlier } from './early.js'
import { Endpoint } from './endpoint.js'
import type { EndpointTarget } from './endpoint.js'
import { PortTransport } from './port-transport.js'
import { closed } from './reasons.js'
import { toWireError } from './wire-error.js'
import type { WireError } from './wire-error.js'

/** How a page introduces itself. */
export interface Hello {
  version: 1
  /** Survives a reload of the page. */
  session: string
  /** One transport in one load of one page; opened anew under the same name after a worker's death. */
  connection: string
  /** Names of the locks that the page holds for both. */
  locks: { session: string; connection: string }
  /** Ids of the questions that the page shows, or answered without an acknowledgement. */
  holding: string[]
  /** Grows with each try of this connection to enter. */
  meeting?: number
  /** Whatever the app wants its server to know. */
  data?: Json
}

export interface Welcome {
  version: 1
  worker: string
  /** The lock that this worker holds for its life. */
  lock: string
}

export interface Connection {
  hello: Hello
  transport: PortTransport
  /**
   * Aborts when the connection ends, with an IntabError: `closed` with the page's Bye as `data`, `closed` with
   * `{ replaced: true }` when the page opened it anew (what it holds, it still holds), or plain `closed` when its lock came free.
   */
  signal: AbortSignal
}

/** What a page finds at the door. */
export interface Door {
  /** Answers before the storage opens, with the lock that the worker holds: one that is busy is not one that failed to load. */
  knock(): Promise<{ lock: string } | { error: WireError }>
  open(port: MessagePort, hello: Hello): Promise<{ welcome: Welcome } | { error: WireError }>
}

/** The global scope of a shared or a dedicated worker, or a port when the server runs in the page. */
export type DoorScope = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>

export interface FrontDoor {
  connections(): number
  /** Lets nobody in any more, and ends all connections. */
  close(): void
}

/**
 * Listens from this very turn on; pages that came earlier, from the moment that this module was loaded, enter first.
 * `knocked` is called at each knock, and resolves with the name of the lock that the server behind the door holds.
 */
export function openFrontDoor(
  scope: DoorScope,
  locks: Locks,
  knocked: () => Promise<string>,
  accept: (connection: Connection) => Promise<Welcome>
): FrontDoor {
  const open = new Map<string, { transport: PortTransport; meeting: number }>()
  let shut = false

  const admit = async (port: MessagePort, hello: Hello): Promise<Welcome> => {
    if (shut) throw closed('This server is closed')
    if (hello.version !== 1) {
      throw new IntabError(
        'worker_failed',
        'The page and its worker speak different versions of intab: reload the page'
      )
    }
    const { connection, meeting = 0 } = hello
    const anew = closed('The page opened this connection anew', { replaced: true })
    const before = open.get(connection)
    // Two ports keep no order: to a worker that is slow to start the page may have given up the try that comes last.
    if (before && before.meeting > meeting) throw anew
    before?.transport.end(anew)
    const transport = new PortTransport(port)
    const { signal } = transport
    open.set(connection, { transport, meeting })
    signal.addEventListener('abort', () => {
      if (open.get(connection)?.transport === transport) open.delete(connection)
    })
    const gone = (cause?: unknown): void => transport.end(closed('The page is gone', undefined, cause))
    locks
      .free(hello.locks.connection, signal)
      .then(() => pause(drain, signal, locks))
      .then(() => gone(), gone)
    try {
      return await accept({ hello, transport, signal })
    } catch (error) {
      transport.end(closed('The connection was refused', undefined, error))
      throw error
    }
  }

  const door: Door = {
    knock: () =>
      knocked().then(
        (lock) => ({ lock }),
        (error: unknown) => ({ error: toWireError(error) })
      ),
    open: (port, hello) =>
      admit(port, hello).then(
        (welcome) => ({ welcome }),
        (error: unknown) => ({ error: toWireError(error) })
      )
  }

  const onconnect = (event: Event): void => {
    const [port] = (event as MessageEvent).ports
    if (port) expose(door, new Endpoint(port))
  }
  const only = 'onconnect' in scope ? undefined : new Endpoint(scope as EndpointTarget)
  if (only) expose(door, only)
  else scope.addEventListener('connect', onconnect)
  for (const event of earlier(scope)) {
    if (only) only.tell(event)
    else onconnect(event)
  }

  return {
    connections: () => open.size,
    close() {
      shut = true
      only?.detach()
      scope.removeEventListener('connect', onconnect)
      for (const { transport } of open.values()) {
        transport.close().catch((error: unknown) => transport.onerror?.(toError(error)))
      }
    }
  }
}
