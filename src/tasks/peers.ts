// Every worker watches every other worker's lock: when one comes free, its tasks and claims need somebody.

import { toError } from '../errors.js'
import type { Locks, UpdateBus } from '../types.js'

export interface Peers {
  /** Lock names of the workers now watched. */
  readonly alive: ReadonlySet<string>
  close(): void
}

/** Watches all workers whose lock names start with the prefix: those that hold one now, and those that greet later. */
export async function watchPeers(
  locks: Locks,
  bus: UpdateBus,
  { prefix, self }: { prefix: string; self: string },
  { ondeath, onerror }: { ondeath(worker: string): Promise<void>; onerror(error: Error): void }
): Promise<Peers> {
  const alive = new Set<string>()
  const closing = new AbortController()
  const watch = (worker: string): void => {
    if (worker === self || !worker.startsWith(prefix) || alive.has(worker)) return
    alive.add(worker)
    locks
      .free(worker, closing.signal)
      .then(() => {
        alive.delete(worker)
        return ondeath(worker)
      })
      .catch((error: unknown) => {
        if (!closing.signal.aborted) onerror(toError(error))
      })
  }
  bus.greet(self, watch)
  for (const worker of await locks.held(prefix)) watch(worker)
  return { alive, close: () => closing.abort() }
}
