// What the app's factory returns, whatever it is, as something with a door.

import { IntabError, toError } from '../errors.js'
import type { EndpointTarget } from './endpoint.js'

declare global {
  /** The compiler's library does not know all of them yet. */
  interface WorkerOptions {
    /**
     * The worker lives on for a while after its last tab is gone, so that a reload of the only tab finds it alive.
     * Chromium 148 and later; others ignore it. All tabs must give the same value.
     * https://developer.mozilla.org/docs/Web/API/SharedWorker/SharedWorker
     */
    extendedLifetime?: boolean
  }
}

/** The options of the `SharedWorker` constructor, with `extendedLifetime`. */
export type ExtendedWorkerOptions = WorkerOptions

/** Makes, or finds, what the server runs in; called again at each reconnect. */
export type WorkerFactory = () => SharedWorker | Worker | MessagePort

export interface Host {
  kind: 'shared-worker' | 'worker' | 'page'
  door: EndpointTarget
  /** Where the browser tells of a script that fails; a port has no such events. */
  events: EventTarget
  /** The door has served: a SharedWorker's own port is one more that slows down WebKit. */
  entered(): void
  /** Nobody needs this host any more; ends a dedicated worker. */
  end(): void
}

/** With a generation above 0 a SharedWorker is made under a name of its own. Throws `worker_failed`. */
export function makeHost(factory: WorkerFactory, fallback: WorkerFactory | undefined, generation: number): Host {
  try {
    return hostOf(generation > 0 ? underNewName(factory, generation) : factory())
  } catch (cause) {
    const missing = !('SharedWorker' in globalThis)
    if (missing && fallback) return hostOf(fallback())
    const message = `The worker could not be made: ${toError(cause).message}.`
    throw new IntabError('worker_failed', message, missing ? 'missing' : undefined, { cause })
  }
}

function hostOf(made: SharedWorker | Worker | MessagePort): Host {
  // The closures keep the worker object for as long as its host: Firefox may end a worker whose object is collected.
  if ('port' in made) {
    const close = (): void => made.port.close()
    return { kind: 'shared-worker', door: made.port, events: made, entered: close, end: close }
  }
  const nothing = (): void => undefined
  if ('terminate' in made) {
    return { kind: 'worker', door: made, events: made, entered: nothing, end: () => made.terminate() }
  }
  return { kind: 'page', door: made, events: made, entered: nothing, end: nothing }
}

/**
 * Firefox can attach a new SharedWorker to the dying one of the same URL and name, and then every further try hangs:
 * only another name helps. The factory is the app's own, so its constructor call is where the name can change.
 */
function underNewName(factory: WorkerFactory, generation: number): ReturnType<WorkerFactory> {
  const Original = globalThis.SharedWorker
  if (typeof Original !== 'function') return factory()
  globalThis.SharedWorker = class extends Original {
    constructor(url: string | URL, options: string | WorkerOptions = {}) {
      const { name = '', ...others } = typeof options === 'string' ? { name: options } : options
      super(url, { ...others, name: `${name}~${generation}` })
    }
  }
  try {
    return factory()
  } finally {
    globalThis.SharedWorker = Original
  }
}
