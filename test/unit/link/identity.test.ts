import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type * as identity from '../../../src/link/identity.js'
import { LockSpace, memoryLocks } from '../../doubles/locks.js'
import { soon } from './rig.js'

const never = new AbortController().signal
let space: LockSpace
let items: Map<string, string>
let slots: identity.SessionSlot[]
/** Of a page that no other test's clients live in. */
let SessionSlot: typeof identity.SessionSlot

/** The sessionStorage of one tab. */
const openTab = (contents = new Map<string, string>()): void => {
  items = contents
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => contents.get(key) ?? null,
    setItem: (key: string, value: string) => contents.set(key, value)
  })
}

/** One load of a page with one client in it. */
function load(locks = memoryLocks(space), connection = crypto.randomUUID()): Promise<identity.Identity> {
  const slot = new SessionSlot()
  slots.push(slot)
  return slot.identify(locks, connection, never)
}

beforeEach(async () => {
  vi.resetModules()
  ;({ SessionSlot } = await import('../../../src/link/identity.js'))
  space = new LockSpace()
  slots = []
  openTab()
})
afterEach(() => {
  for (const slot of slots) slot.free()
  vi.unstubAllGlobals()
})

function unload(locks?: { die(): void }): void {
  locks?.die()
  for (const slot of slots.splice(0)) slot.free()
}

test('a session survives a reload, a connection does not', async () => {
  const locks = memoryLocks(space)
  const first = await load(locks)
  unload(locks)
  const second = await load()
  expect(second.session).toBe(first.session)
  expect(second.connection).not.toBe(first.connection)
})

test('a page that reloads waits until its old self has let go', async () => {
  const locks = memoryLocks(space)
  const first = await load(locks)
  unload()
  const second = load()
  setTimeout(() => locks.die(), 50)
  expect((await second).session).toBe(first.session)
})

test('F64 a duplicated tab, which has a copy of everything, gets a session of its own within half a second', async () => {
  const original = await load()
  const copy = new Map(items)
  slots.splice(0).forEach((slot) => slot.free())
  openTab(copy)
  vi.useFakeTimers()
  const loaded = vi.fn<(who: identity.Identity) => void>()
  const loading = load().then(loaded)
  await vi.advanceTimersByTimeAsync(500)
  vi.useRealTimers()
  expect(loaded).toHaveBeenCalledOnce()
  await loading
  const [[duplicate]] = loaded.mock.calls as [[identity.Identity]]
  expect(duplicate.session).not.toBe(original.session)
  expect(copy.get('intab:session')).toBe(duplicate.session)
})

test('the clients of one page have sessions of their own, each the same after a reload', async () => {
  const locks = memoryLocks(space)
  const before = [await load(locks), await load(locks), await load(locks)].map(({ session }) => session)
  expect(new Set(before).size).toBe(3)
  expect([...items.keys()]).toEqual(['intab:session', 'intab:session:1', 'intab:session:2'])
  unload(locks)
  const after = [await load(), await load(), await load()].map(({ session }) => session)
  expect(after).toEqual(before)
})

test('the next client of a page has the session of one that closed', async () => {
  const [first] = [await load(), await load()]
  first.release()
  slots[0]?.free()
  expect((await load()).session).toBe(first.session)
})

test('without a sessionStorage, as in a sandboxed frame, there is a session all the same, kept for the page', async () => {
  vi.stubGlobal('sessionStorage', undefined)
  const slot = new SessionSlot()
  const first = await slot.identify(memoryLocks(space), 'a', never)
  first.release()
  const second = await slot.identify(memoryLocks(space), 'b', never)
  slot.free()
  expect(second.session).toBe(first.session)
  const other = await load()
  expect(other.session).not.toBe(first.session)
})

test('both locks are held until release, under the names that the worker is told', async () => {
  const identity = await load()
  expect(space.held('intab:').sort()).toEqual([identity.locks.connection, identity.locks.session].sort())
  expect(identity.locks.connection).toContain(identity.connection)
  identity.release()
  expect(space.names).toEqual([])
})

test('a page that leaves while it waits for its session lets all go', async () => {
  await load()
  slots.splice(0).forEach((slot) => slot.free())
  const leaving = new AbortController()
  const slot = new SessionSlot()
  const waiting = slot.identify(memoryLocks(space), 'c', leaving.signal)
  const reason = new Error('left')
  await soon(() => expect(space.names).toHaveLength(2))
  leaving.abort(reason)
  await expect(waiting).rejects.toBe(reason)
  slot.free()
  expect(space.held('')).toHaveLength(2)
})

test('when the connection lock cannot be had, the session lock is let go', async () => {
  const locks = memoryLocks(space)
  const failing = {
    ...locks,
    hold: (name: string, signal?: AbortSignal) =>
      name.includes('connection') ? Promise.reject(new Error('no')) : locks.hold(name, signal)
  }
  const slot = new SessionSlot()
  await expect(slot.identify(failing, 'c', never)).rejects.toThrow('no')
  slot.free()
  expect(space.names).toEqual([])
})
