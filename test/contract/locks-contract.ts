// What every Locks must do; it runs in Node and in a page, so it brings no test runner.
import type { Locks } from '../../src/types.js'

export interface LocksRig {
  /** Two holders of one origin. */
  a: Locks
  b: Locks
  /** Ends the first holder as a crash does. */
  killA(): Promise<void>
}

export interface LocksRule {
  name: string
  holds(rig: LocksRig): Promise<void>
}

const uuid = (): string => crypto.randomUUID()

function check(condition: boolean, otherwise: string): void {
  if (!condition) throw new Error(otherwise)
}

/** Whether a promise has settled once everything that was possible has happened: a lock of another name was granted and let go. */
async function settled(promise: Promise<unknown>, locks: Locks): Promise<boolean> {
  let done = false
  const mark = (): void => {
    done = true
  }
  promise.then(mark, mark)
  for (let round = 0; round < 3; round += 1) (await locks.hold(`round:${uuid()}`))()
  return done
}

const reasonOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'nothing',
    (error: unknown) => error
  )

export const locksContract: LocksRule[] = [
  {
    name: 'a lock is held by one at a time, and goes to the next when it is let go',
    async holds({ a, b }) {
      const name = uuid()
      const letGo = await a.hold(name)
      const next = b.hold(name)
      check(!(await settled(next, b)), 'two held the lock')
      letGo()
      const letNextGo = await next
      letNextGo()
    }
  },
  {
    name: 'free waits for the holder, and leaves the lock to others',
    async holds({ a, b }) {
      const name = uuid()
      const letGo = await a.hold(name)
      const free = b.free(name)
      check(!(await settled(free, b)), 'a held lock was called free')
      letGo()
      await free
      const letAgainGo = await a.hold(name)
      letAgainGo()
    }
  },
  {
    name: 'free resolves at once for a lock that nobody holds',
    async holds({ a }) {
      await a.free(uuid())
    }
  },
  {
    name: 'any number may wait for one lock to come free',
    async holds({ a, b }) {
      const name = uuid()
      const letGo = await a.hold(name)
      const waiting = Promise.all([b.free(name), b.free(name), a.free(name)])
      letGo()
      await waiting
    }
  },
  {
    name: 'a watcher never looks like a holder',
    async holds({ a, b }) {
      const name = uuid()
      const letGo = await a.hold(name)
      const free = b.free(name)
      check((await b.held(name)).length === 1, 'the holder is not listed')
      letGo()
      await free
      check((await b.held(name)).length === 0, 'a lock is listed that nobody holds')
    }
  },
  {
    name: 'held lists the names with a prefix, whoever holds them',
    async holds({ a, b }) {
      const prefix = uuid()
      const letGo = [await a.hold(`${prefix}:1`), await b.hold(`${prefix}:2`), await a.hold(uuid())]
      const names = (await a.held(prefix)).sort().join()
      check(names === `${prefix}:1,${prefix}:2`, `held says ${names}`)
      for (const release of letGo) release()
    }
  },
  {
    name: 'a wait ends with its signal, with the reason of the signal',
    async holds({ a, b }) {
      const name = uuid()
      const letGo = await a.hold(name)
      const giveUp = new AbortController()
      const waits = [reasonOf(b.hold(name, giveUp.signal)), reasonOf(b.free(name, giveUp.signal))]
      const reason = new Error('enough')
      giveUp.abort(reason)
      for (const wait of waits) check((await wait) === reason, 'the wait went on, or ended for another reason')
      letGo()
      const letAgainGo = await a.hold(name)
      letAgainGo()
    }
  },
  {
    name: 'a signal that has aborted before lets nobody in',
    async holds({ a }) {
      const reason = new Error('too late')
      const name = uuid()
      check((await reasonOf(a.hold(name, AbortSignal.abort(reason)))) === reason, 'hold did not reject')
      check((await reasonOf(a.free(name, AbortSignal.abort(reason)))) === reason, 'free did not reject')
      check((await a.held(name)).length === 0, 'the lock is held')
    }
  },
  {
    name: 'a signal that aborts after the grant takes nothing away',
    async holds({ a, b }) {
      const name = uuid()
      const controller = new AbortController()
      const letGo = await a.hold(name, controller.signal)
      controller.abort(new Error('too late'))
      check((await b.held(name)).length === 1, 'the lock is gone')
      letGo()
      await b.free(name)
    }
  },
  {
    name: 'to let go twice is to let go once',
    async holds({ a, b }) {
      const name = uuid()
      const letGo = await a.hold(name)
      letGo()
      const letNextGo = await b.hold(name)
      letGo()
      check((await a.held(name)).length === 1, "the next holder's lock is gone")
      letNextGo()
    }
  },
  {
    name: 'a holder that dies lets everything go, and waits for nothing any more',
    async holds({ a, b, killA }) {
      const [first, second, third] = [uuid(), uuid(), uuid()]
      await a.hold(first)
      await a.hold(second)
      const letGo = await b.hold(third)
      a.hold(third).catch(() => undefined)
      const freed = Promise.all([b.free(first), b.free(second)])
      await killA()
      await freed
      letGo()
      const letAgainGo = await b.hold(third)
      letAgainGo()
    }
  }
]
