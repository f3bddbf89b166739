// The worker is made before the page has its locks: its script loads meanwhile.

import { beforeEach, expect, test, vi } from 'vitest'
import { IntabError } from '../../../src/errors.js'
import { Attempt } from '../../../src/link/attempt.js'
import { newGate } from '../../../src/link/gate.js'
import type { Locks } from '../../../src/types.js'
import { memoryLocks } from '../../doubles/locks.js'
import { turn } from '../../support/turns.js'
import { FakePage, Origin, silent, soon } from './rig.js'

let origin: Origin
beforeEach(() => {
  origin = new Origin()
})

/** Locks that are not given before `give` is called. */
function slowLocks(): { locks: Locks; give(): void } {
  const gate = newGate()
  const locks = memoryLocks(origin.space)
  const hold: Locks['hold'] = async (name, signal) => {
    await new Attempt(signal ?? new AbortController().signal).settle(gate.opened)
    return locks.hold(name, signal)
  }
  return { locks: { ...locks, hold }, give: gate.open }
}

test('the worker is made while the page still waits for its locks, and greeted when it has them', async () => {
  const { locks, give } = slowLocks()
  const page = new FakePage(origin.space, origin.factory, { locks })
  const started = page.transport.start()
  expect(origin.calls).toBe(1)
  for (let i = 0; i < 50; i += 1) await turn()
  expect(origin.worker.door.connections()).toBe(0)
  give()
  await started
  expect(origin.calls).toBe(1)
  await page.transport.close()
})

test('a worker that fails while the page waits for its locks is told of when it has them, and nothing is left', async () => {
  const { locks, give } = slowLocks()
  const worker = silent()
  const page = new FakePage(origin.space, () => worker, { locks })
  const started = page.transport.start().catch((error: unknown) => error)
  worker.dispatchEvent(Object.assign(new Event('error'), { message: 'x is not defined' }))
  give()
  expect(await started).toMatchObject({ code: 'worker_failed', message: expect.stringContaining('x is not defined') })
  expect(origin.space.names).toEqual([])
})

test('a page that leaves while it waits for its locks ends the worker that it made', async () => {
  const terminate = vi.fn()
  const worker = Object.assign(new MessageChannel().port1, { terminate }) as unknown as Worker
  const page = new FakePage(origin.space, () => worker, slowLocks())
  const started = page.transport.start().catch((error: unknown) => error)
  expect(terminate).not.toHaveBeenCalled()
  await page.transport.close()
  expect(await started).toMatchObject({ code: 'closed' })
  await soon(() => expect(terminate).toHaveBeenCalledOnce())
  expect(origin.space.names).toEqual([])
})

test('a page that gets no locks is told so, whatever becomes of its worker', async () => {
  const refused = new IntabError('insecure_context', 'No locks here')
  const locks: Locks = { ...memoryLocks(origin.space), hold: () => Promise.reject(refused) }
  const factory = (): SharedWorker => {
    throw new Error('No workers here either')
  }
  await expect(new FakePage(origin.space, factory, { locks }).transport.start()).rejects.toBe(refused)
})
