// Who a page is to its worker: a session that survives a reload, and a connection that does not.

import type { Locks } from '../types.js'
import { Attempt } from './attempt.js'
import type { Hello } from './front-door.js'
import { connectionLock, sessionLock } from './locks.js'

/** How long a page that was reloaded may need to let go of its session: 73 ms were seen. */
const patience = 300

/** Both locks are held until `release`. */
export interface Identity extends Pick<Hello, 'session' | 'connection' | 'locks'> {
  release(): void
}

const taken = new Set<number>()

/** Where this frame lies in its tab, such as `/0/2`; frames of one origin share the tab's sessionStorage. Empty for the page itself. */
function framePath(): string {
  let path = ''
  if (!('window' in globalThis)) return path
  for (let frame: Window = window; frame !== frame.parent; frame = frame.parent) {
    const { parent } = frame
    const place = Array.from({ length: parent.length }, (_, n) => parent[n]).indexOf(frame)
    path = `/${place}${path}`
  }
  return path
}

// Sandboxed frames have a sessionStorage that throws; Node has none.
function storage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(sessionStorage)
  } catch {
    return undefined
  }
}

/** One client of this page, by its order among those that live; the first has its session again after a reload. */
export class SessionSlot {
  readonly #number: number
  #session: string | undefined

  constructor() {
    let number = 0
    while (taken.has(number)) number += 1
    taken.add(number)
    this.#number = number
  }

  free(): void {
    taken.delete(this.#number)
  }

  /** Takes the session and connection locks; rejects with the signal's reason, or `insecure_context`. */
  async identify(locks: Locks, connection: string, signal: AbortSignal): Promise<Identity> {
    const key = `intab:session${framePath()}${this.#number === 0 ? '' : `:${this.#number}`}`
    const known = this.#session ?? storage((items) => items.getItem(key)) ?? undefined
    const kept = known === undefined ? undefined : await holdSoon(locks, sessionLock(known), signal)
    // A duplicated tab has a copy of the sessionStorage, and finds the lock taken by the original.
    const session = known !== undefined && kept ? known : crypto.randomUUID()
    const letSessionGo = kept ?? (await locks.hold(sessionLock(session), signal))
    try {
      const letConnectionGo = await locks.hold(connectionLock(connection), signal)
      this.#session = session
      storage((items) => items.setItem(key, session))
      return {
        session,
        connection,
        locks: { session: sessionLock(session), connection: connectionLock(connection) },
        release() {
          letConnectionGo()
          letSessionGo()
        }
      }
    } catch (error) {
      letSessionGo()
      throw error
    }
  }
}

/** Undefined when somebody else keeps the lock. */
async function holdSoon(locks: Locks, name: string, signal: AbortSignal): Promise<(() => void) | undefined> {
  const attempt = new Attempt(signal)
  attempt.after(patience, () => attempt.fail(undefined), locks)
  try {
    return await locks.hold(name, attempt.signal)
  } catch (error) {
    if (attempt.signal.aborted) return undefined
    throw error
  } finally {
    attempt.end()
  }
}
