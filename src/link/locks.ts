// Locks tell of death where ports tell nothing: https://developer.mozilla.org/docs/Web/API/Web_Locks_API

import { IntabError, toError } from '../errors.js'
import type { Locks } from '../types.js'

/** Held by the page for as long as its session is in use; a duplicated tab finds it taken. */
export const sessionLock = (session: string): string => `intab:session:${session}`

/** Held by the page for as long as the connection lives; `held(connectionLock(''))` finds all. */
export const connectionLock = (connection: string): string => `intab:connection:${connection}`

const insecure = (cause?: unknown): IntabError =>
  new IntabError(
    'insecure_context',
    'Web Locks are missing here: serve the page over https or from localhost, and not in a sandboxed frame',
    undefined,
    { cause }
  )

/** The browser's locks; throws `insecure_context` where it has none. */
export function webLocks(): Locks {
  const manager = (globalThis as { navigator?: { locks?: LockManager } }).navigator?.locks
  if (manager === undefined) throw insecure()
  const clear = (error: unknown): unknown =>
    error instanceof DOMException && error.name === 'SecurityError' ? insecure(error) : error
  return {
    hold: (name, signal) =>
      new Promise((resolve, reject) => {
        manager
          .request(name, signal ? { signal } : {}, () => new Promise<void>((release) => resolve(release)))
          // After the grant this is too late to reject; only a thief with `steal` gets here then.
          .catch((error: unknown) => reject(toError(clear(error))))
      }),
    free: (name, signal) =>
      manager
        .request(name, signal ? { mode: 'shared', signal } : { mode: 'shared' }, () => undefined)
        .catch((error: unknown) => {
          throw clear(error)
        }),
    held: async (prefix) => {
      const { held = [] } = await manager.query()
      return held.flatMap(({ name, mode }) => (mode === 'exclusive' && name?.startsWith(prefix) ? [name] : []))
    }
  }
}
