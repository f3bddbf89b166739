import { openDB } from 'idb'
import { expect, onTestFinished, test, vi } from 'vitest'
import { IntabError } from '../../src/errors.js'
import { runTask } from '../../src/index.js'
import { newGate } from '../../src/link/gate.js'
import { sessionLock } from '../../src/link/locks.js'
import type { ServeOptions } from '../../src/session/options.js'
import { serve, type Server } from '../../src/session/serve.js'
import type { IntabEvent, Locks } from '../../src/types.js'
import { LockSpace, memoryLocks } from '../doubles/locks.js'
import { toolOf, text } from '../support/tools.js'
import { World } from '../support/world.js'

test('a server that cannot start tells every tab why, and leaves no rejection to nobody', async () => {
  const unhandled: unknown[] = []
  const listener = (reason: unknown): void => void unhandled.push(reason)
  process.on('unhandledRejection', listener)
  try {
    const tool = toolOf('twice', () => text(''))
    const world = new World({ tools: [tool, tool] })
    const { server } = world.worker()
    await expect(world.tab()).rejects.toMatchObject({ code: 'duplicate_tool' })
    await expect(server.ready).rejects.toMatchObject({ code: 'duplicate_tool' })
    expect(unhandled).toEqual([])
  } finally {
    process.off('unhandledRejection', listener)
  }
})

/** A server whose lock is asked for, and its database opened; `hold` decides what becomes of the lock. */
function newServer(
  hold: (locks: Locks) => Locks['hold'],
  options: Partial<ServeOptions> = {}
): {
  server: Server
  space: LockSpace
  events: IntabEvent[]
  database: string
} {
  const space = new LockSpace()
  const locks = memoryLocks(space)
  const events: IntabEvent[] = []
  const database = `start:${crypto.randomUUID()}`
  const server = serve({
    name: 'start',
    version: '1.0.0',
    database,
    scope: Object.assign(new EventTarget(), { onconnect: null }),
    locks: { ...locks, hold: hold(locks) },
    onevent: (event) => events.push(event),
    ...options
  })
  onTestFinished(() => server.close())
  return { server, space, events, database }
}

const databaseExists = async (name: string): Promise<void> => {
  expect((await indexedDB.databases()).map((found) => found.name)).toContain(name)
}

test('a newer version that comes while the lock is asked for gets the database, and the start fails with the reason', async () => {
  const gate = newGate()
  const { server, events, database } = newServer((locks) => (name) => gate.opened.then(() => locks.hold(name)))
  await vi.waitFor(() => databaseExists(database))
  const newer = await openDB(database, 1_000)
  gate.open()
  await expect(server.ready).rejects.toMatchObject({ code: 'superseded' })
  expect(events).toEqual([])
  newer.close()
})

test('a server that gets no lock lets its database go', async () => {
  const close = vi.spyOn(IDBDatabase.prototype, 'close')
  onTestFinished(() => close.mockRestore())
  const gate = newGate()
  const { server, database } = newServer(() => async () => {
    await gate.opened
    throw new IntabError('insecure_context', 'No locks here')
  })
  await vi.waitFor(() => databaseExists(database))
  gate.open()
  await expect(server.ready).rejects.toMatchObject({ code: 'insecure_context' })
  await vi.waitFor(() => expect(close).toHaveBeenCalledOnce())
})

function refuseStorage(): void {
  vi.stubGlobal('indexedDB', {
    open: () => {
      throw new Error('private mode')
    }
  })
  onTestFinished(() => void vi.unstubAllGlobals())
}

test('a server that gets no database tells every tab so, also one that takes its time to come in', async () => {
  refuseStorage()
  const world = new World()
  const { server } = world.worker()
  await expect(server.ready).rejects.toMatchObject({ code: 'storage_refused' })
  // It takes a while to learn that this session is another tab's.
  vi.stubGlobal('sessionStorage', { getItem: () => 'duplicated', setItem: () => undefined })
  await memoryLocks(world.locks).hold(sessionLock('duplicated'))
  await expect(world.tab()).rejects.toMatchObject({ code: 'storage_refused' })
})

test('a server that gets no database lets its lock go when it is closed', async () => {
  refuseStorage()
  const { server, space } = newServer((locks) => (name) => locks.hold(name))
  await expect(server.ready).rejects.toMatchObject({ code: 'storage_refused' })
  server.close()
  await vi.waitFor(() => expect(space.names).toEqual([]))
})

test('a server whose options make no sense lets its lock go when it is closed', async () => {
  const tool = toolOf('twice', () => text(''))
  const { server, space } = newServer((locks) => (name) => locks.hold(name), { tools: [tool, tool] })
  await expect(server.ready).rejects.toMatchObject({ code: 'duplicate_tool' })
  server.close()
  await vi.waitFor(() => expect(space.names).toEqual([]))
})

test('a server that cannot read what a dead one left serves all the same, says so, and takes it over once it can', async () => {
  const runs: number[] = []
  const tool = toolOf(
    'job',
    async (_, { attempt }) => {
      runs.push(attempt)
      return attempt < 2 ? new Promise(() => undefined) : text('done')
    },
    { onInterrupt: 'resume' }
  )
  const world = new World({ tools: [tool] })
  const first = world.worker()
  const { client } = await world.tab()
  const run = await runTask(client, { name: 'job' })
  const result = run.result()
  const { openKeyCursor } = IDBIndex.prototype
  const look = vi.spyOn(IDBIndex.prototype, 'openKeyCursor').mockImplementation(function (this: IDBIndex, ...args) {
    if (this.name === 'executor') throw new DOMException('broken', 'DataError')
    return openKeyCursor.apply(this, args)
  })
  onTestFinished(() => look.mockRestore())
  const broken = world.worker()
  first.kill()
  await broken.server.ready
  expect(broken.eventsOf('error')).toMatchObject([{ error: { message: 'broken' } }])
  expect(runs).toEqual([1])
  look.mockRestore()
  expect(await result).toMatchObject(text('done'))
  expect(runs).toEqual([1, 2])
})

test('a server without locks says so at every call, and not that it was called twice', () => {
  vi.stubGlobal('navigator', {})
  onTestFinished(() => void vi.unstubAllGlobals())
  const scope = Object.assign(new EventTarget(), { onconnect: null })
  for (let call = 0; call < 2; call++) {
    expect(() => serve({ name: 'insecure', version: '1.0.0', scope })).toThrow(
      expect.objectContaining({ code: 'insecure_context' })
    )
  }
})
