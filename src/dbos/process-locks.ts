// Who is alive, by the leases of the processes: what Web Locks tell in a browser.

import { setMaxListeners } from 'node:events'
import { connectionLock } from '../link/locks.js'
import type { Lease } from '../postgres/lease.js'
import type { Locks, Roster } from '../types.js'

/** A connection is named after the process that has it. */
export const newConnection = (executor: string): string => `${executor}/${crypto.randomUUID()}`

const isConnection = (lock: string): boolean => lock.startsWith(connectionLock(''))

const processOf = (lock: string): string => {
  const name = isConnection(lock) ? lock.slice(connectionLock('').length) : lock
  return isConnection(lock) ? name.slice(0, name.lastIndexOf('/')) : name
}

export class ProcessLocks implements Locks {
  readonly #lease: () => Pick<Lease, 'living'>
  readonly #roster: Pick<Roster, 'claimants'>
  /** What to call when a lock comes free. */
  readonly #waiting = new Map<string, Set<() => void>>()

  constructor(lease: () => Pick<Lease, 'living'>, roster: Pick<Roster, 'claimants'>) {
    this.#lease = lease
    this.#roster = roster
  }

  /** The lease is what is held. */
  hold(): Promise<() => void> {
    return Promise.resolve(() => undefined)
  }

  free(lock: string, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(lock) ?? new Set()
      const abort = (): void => {
        waiting.delete(come)
        reject(signal?.reason)
      }
      const come = (): void => {
        signal?.removeEventListener('abort', abort)
        resolve()
      }
      this.#waiting.set(lock, waiting.add(come))
      // One for each lock, and there may be many.
      if (signal) setMaxListeners(0, signal)
      signal?.addEventListener('abort', abort, { once: true })
    })
  }

  async held(prefix: string): Promise<string[]> {
    const living = await this.#lease().living()
    if (!isConnection(prefix)) return living.filter((name) => name.startsWith(prefix))
    const claimants = new Set((await this.#roster.claimants()).map(connectionLock))
    // A connection that ended in a process that lives on holds no claim any more.
    this.#release((lock) => isConnection(lock) && !claimants.has(lock))
    return [...claimants].filter((lock) => living.includes(processOf(lock)))
  }

  /** The process is dead: nobody holds what it held. */
  died(name: string): void {
    this.#release((lock) => processOf(lock) === name)
  }

  #release(isFree: (lock: string) => boolean): void {
    for (const [lock, waiting] of this.#waiting) {
      if (!isFree(lock)) continue
      this.#waiting.delete(lock)
      for (const come of waiting) come()
    }
  }
}
