// The one call that makes a worker an MCP server.

import { IntabError, toError } from '../errors.js'
import { type Connection, openFrontDoor, type Welcome } from '../link/front-door.js'
import { webLocks } from '../link/locks.js'
import { watchPage } from '../link/page-life.js'
import { after } from '../time.js'
import type { Locks } from '../types.js'
import { openSession } from './open-session.js'
import { databaseOf, type ServeOptions } from './options.js'
import { type Life, type Started, start } from './start.js'

/** Returned by `serve`. */
export interface Server {
  /** Resolves when tabs are served; rejects with the reason if not, which each tab gets as well. After a failed start, the promise of the latest one. */
  readonly ready: Promise<void>
  /** Stops serving: aborts handlers and leaves their tasks to the next worker. */
  close(): void
}

/** Two servers at one door would each answer half of what a tab says. */
const serving = new WeakSet<object>()

/**
 * Serves MCP to every tab that connects. Call it at the top level of the worker's script: tabs that come while the script
 * awaits something are kept waiting. Works in a SharedWorker, in a dedicated Worker (one per tab), and
 * in a page (`scope`: one end of a MessageChannel; WorkerTransport's factory returns the other, the same one at every call).
 * A server in a page stops at `pagehide` and `freeze`, so that other tabs take over its tasks, and starts again when the
 * page is back.
 *
 * When it cannot start, tabs get a coded error, and `ready` rejects with it: `storage_refused`, `storage_busy`, `quota`,
 * `superseded`, `blocked`, `invalid_options`, `duplicate_tool`. The next tab that connects makes it try again, except after the last two.
 *
 * @throws {IntabError} `insecure_context` where there are no Web Locks, `invalid_options` without options, and when serve() was already called for this scope.
 */
export function serve(options: ServeOptions): Server {
  if (Object(options) !== options) {
    throw new IntabError('invalid_options', 'serve() needs { name, version, tools }')
  }
  const scope = options.scope ?? globalThis
  if (serving.has(scope)) {
    throw new IntabError('invalid_options', 'serve() was called twice here: give all tools to one call')
  }
  if (
    options.locks === undefined &&
    options.scope === undefined &&
    !('document' in globalThis || 'WorkerGlobalScope' in globalThis)
  ) {
    throw new IntabError(
      'invalid_options',
      'serve() runs in a worker or page of a browser; for a server see the SDK of MCP'
    )
  }
  const locks = options.locks ?? webLocks()
  serving.add(scope)
  let server = openServer(options, locks)
  let away = false
  // A frozen page keeps its locks, and with them its tasks from all others. A dedicated worker need not know: its page ends it.
  const stop = watchPage(options.page ?? ('document' in globalThis ? globalThis : undefined), {
    hide() {
      away = true
      server.close()
    },
    show() {
      if (away) server = openServer(options, locks)
      away = false
    }
  })
  return {
    get ready() {
      return server.ready
    },
    close() {
      serving.delete(scope)
      stop()
      server.close()
    }
  }
}

/** One start, under a name and a lock of its own, and what became of it. */
interface Attempt extends Life {
  started: Promise<Started>
  /** Why it could not start, or gave up. */
  failure?: Error
  /** Why it takes long. */
  trouble?: IntabError
}

/** Less than a tab waits before it takes the worker for one that hangs; milliseconds. */
const patience = 10_000

/** What a tab that waits for the start is told when that takes long; the start goes on, for the tab's next try. */
function inTime(attempt: Attempt): Promise<Started> {
  return new Promise((resolve, reject) => {
    const stop = after(patience, () =>
      reject(
        attempt.trouble ?? new IntabError('storage_busy', `The worker has not started within ${patience} ms: try again`)
      )
    )
    attempt.started.then(resolve, reject).finally(stop)
  })
}

/** What another start could not change. */
const isForGood = (error: Error): boolean =>
  error instanceof IntabError && ['invalid_options', 'duplicate_tool', 'insecure_context'].includes(error.code)

/** Serves until it is closed; what it ran is then left to whoever holds another lock. */
function openServer(options: ServeOptions, locks: Locks): Server {
  const open = new Set<Connection>()
  let closed = false

  const begin = (): Attempt => {
    const worker = crypto.randomUUID()
    const executor = `${databaseOf(options)}:executor:${worker}`
    const held = locks.hold(executor)
    held.catch(() => undefined)
    const life = { worker, executor, held }
    const started = start(options, locks, life, {
      onsuperseded(reason) {
        attempt.failure = reason
        for (const connection of open) connection.transport.close({ superseded: true }).catch(() => undefined)
        // Whatever is still stamped with its name is nobody's now.
        letGo(attempt)
      },
      onblocked(reason) {
        attempt.trouble = new IntabError('blocked', reason)
      }
    })
    const attempt: Attempt = { ...life, started }
    started.catch((error: unknown) => (attempt.failure = toError(error)))
    return attempt
  }
  let newest = begin()

  const accept = async (connection: Connection): Promise<Welcome> => {
    const attempt = newest
    const { hub } = await inTime(attempt)
    if (attempt.failure !== undefined) throw attempt.failure
    const { hello, transport, signal } = connection
    if (!signal.aborted) open.add(connection)
    signal.addEventListener('abort', () => open.delete(connection), { once: true })
    const info = { id: hello.session, connection: hello.connection, data: hello.data }
    await openSession(hub, { info, transport, holding: hello.holding, signal })
    return { version: 1, worker: hub.worker, lock: hub.executor }
  }

  /** Whoever knocks where the last start failed gets a new one: the cause may be gone. */
  const knocked = (): Promise<string> => {
    const { failure } = newest
    if (failure !== undefined && !isForGood(failure) && !closed) {
      letGo(newest)
      newest = begin()
    }
    const { held, executor } = newest
    return held.then(() => executor)
  }
  const door = openFrontDoor(options.scope ?? globalThis, locks, knocked, accept)

  return {
    get ready() {
      const ready = newest.started.then(() => undefined)
      // Every tab that comes is told why; whoever waits for `ready` as well.
      ready.catch(() => undefined)
      return ready
    },
    close() {
      closed = true
      door.close()
      const attempt = newest
      // Also the lock of a server that could not start, which tabs take for a sign of life while they are told why.
      const end = (server?: Started): void => {
        server?.close()
        letGo(attempt)
      }
      attempt.started.then(end, () => end())
    }
  }
}

function letGo({ held }: Life): void {
  held.then(
    (release) => release(),
    () => undefined
  )
}
