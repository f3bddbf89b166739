// Locks tell of death where ports tell nothing: https://developer.mozilla.org/docs/Web/API/Web_Locks_API

import { IntabError, toError } from '../errors.js'
import { Attempt } from './attempt.js'
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

/**
 * What a page or frame holds itself, by its lock manager, with what resolves when it lets go. A server in a page and its
 * client wait for each other, and Chromium throws a page out of its back/forward cache that holds a lock for which somebody
 * waits, be it the page itself.
 */
const owned = new WeakMap<LockManager, Map<string, Promise<void>>>()

/** The locks of this page or worker, or of a frame of it; throws `insecure_context` where there are none. */
export function webLocks(of: { navigator?: { locks?: LockManager } } = globalThis): Locks {
  const manager = of.navigator?.locks
  if (manager === undefined) throw insecure()
  const own = owned.get(manager) ?? new Map<string, Promise<void>>()
  owned.set(manager, own)
  const clear = (error: unknown): Error =>
    error instanceof DOMException && error.name === 'SecurityError' ? insecure(error) : toError(error)
  const take = (name: string, mode: LockMode, signal?: AbortSignal): Promise<() => void> =>
    new Promise((resolve, reject) => {
      const onabort = (): void => reject(toError(signal?.reason))
      const unlisten = (): void => signal?.removeEventListener('abort', onabort)
      signal?.addEventListener('abort', onabort)
      manager
        .request(name, signal ? { mode, signal } : { mode }, () => {
          unlisten()
          // Chromium 156 grants a context's first request although its signal aborted in the same turn.
          return signal?.aborted ? undefined : new Promise<void>((letGo) => resolve(letGo))
        })
        .catch((error: unknown) => {
          unlisten()
          // After the grant only a thief with `steal` gets here, and this is too late to reject.
          reject(clear(error))
        })
    })
  return {
    async hold(name, signal) {
      const letGo = await take(name, 'exclusive', signal)
      let freed = (): void => undefined
      own.set(name, new Promise((resolve) => (freed = resolve)))
      return () => {
        own.delete(name)
        freed()
        letGo()
      }
    },
    async free(name, signal) {
      const mine = own.get(name)
      if (mine !== undefined) return signal ? new Attempt(signal).settle(mine) : mine
      const letGo = await take(name, 'shared', signal)
      letGo()
    },
    held: async (prefix) => {
      const { held = [] } = await manager.query()
      return held.flatMap(({ name, mode }) => (mode === 'exclusive' && name?.startsWith(prefix) ? [name] : []))
    }
  }
}
