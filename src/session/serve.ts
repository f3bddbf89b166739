// The one call that makes a worker an MCP server.

import { IntabError } from '../errors.js'
import { webLocks } from '../link/locks.js'
import { watchPage } from '../link/page-life.js'
import type { ServeOptions } from './options.js'
import { type Server, serveOnce } from './serve-once.js'

export type { Server } from './serve-once.js'

/** Two servers at one door would each answer half of what a tab says. */
const serving = new WeakSet<object>()

/**
 * Serves MCP to every tab that connects. Call it in the first turn of the worker's script, before any `await`: the
 * browser announces the first tab at once. Works in a SharedWorker, in a dedicated Worker (one per tab), and in a page
 * (`scope`: one end of a MessageChannel; WorkerTransport's factory returns the other, the same one at every call).
 * A server in a page stops at `pagehide` and `freeze`, so that other tabs take its tasks over, and starts anew when the
 * page is back.
 *
 * When it cannot start, tabs get a coded error, and `ready` rejects with it: `storage_refused`, `storage_busy`, `quota`,
 * `superseded`, `invalid_options`, `duplicate_tool`.
 *
 * @throws {IntabError} `insecure_context` where there are no Web Locks, `invalid_options` when this scope is served already.
 */
export function serve(options: ServeOptions): Server {
  const scope = options.scope ?? globalThis
  if (serving.has(scope)) {
    throw new IntabError('invalid_options', 'serve() was called twice here: give all tools to one call')
  }
  const locks = options.locks ?? webLocks()
  serving.add(scope)
  let server = serveOnce(options, locks)
  let away = false
  // A frozen page keeps its locks, and with them its tasks from all others. A dedicated worker need not know: its page ends it.
  const stop = watchPage(options.page ?? ('document' in globalThis ? globalThis : undefined), {
    hide() {
      away = true
      server.close()
    },
    show() {
      if (away) server = serveOnce(options, locks)
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
