// A worker that cannot start, or loses its database: it goes on by itself once the cause is gone.

import { ListTasksResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { openDB } from 'idb'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { followTask, runTask } from '../../src/index.js'
import { version } from '../../src/storage/schema.js'
import { gate, text, toolOf } from '../support/tools.js'
import { pass } from '../support/turns.js'
import { World } from '../support/world.js'

afterEach(() => void vi.restoreAllMocks())

const hello = toolOf('hello', () => text('hello'))

/** The browser refuses to open a database, so many times. */
function refuse(times: number, error: Error): { tries(): number } {
  const { open } = IDBFactory.prototype
  let tries = 0
  const spy = vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(function (this: IDBFactory, ...args) {
    tries += 1
    if (tries <= times) throw error
    return open.apply(this, args)
  })
  onTestFinished(() => spy.mockRestore())
  return { tries: () => tries }
}

describe('a worker that could not start', () => {
  const reasons: [code: string, error: Error][] = [
    ['storage_refused', new DOMException('Internal error opening backing store', 'UnknownError')],
    ['quota', new DOMException('No room', 'QuotaExceededError')]
  ]
  test.each(reasons)('because of %s tells its tab why, and serves the next one', async (code, error) => {
    const { tries } = refuse(2, error)
    const world = new World({ tools: [hello] })
    const worker = world.worker()
    await expect(worker.server.ready).rejects.toMatchObject({ code })
    await expect(world.tab({ worker })).rejects.toMatchObject({ code })
    expect(tries()).toBe(2)
    const { client } = await world.tab({ worker })
    expect(await (await runTask(client, { name: 'hello' })).result()).toMatchObject(text('hello'))
    await worker.server.ready
    expect(world.locks.held(`${world.name}:executor:`)).toHaveLength(1)
  })

  test('serves a tab that waits for it as soon as it can, and that tab goes on', async () => {
    const world = new World({ tools: [hello] })
    const first = world.worker()
    const tab = await world.tab()
    const { tries } = refuse(3, new DOMException('Internal error', 'UnknownError'))
    const next = world.worker()
    first.kill()
    expect(await (await runTask(tab.client, { name: 'hello' })).result()).toMatchObject(text('hello'))
    expect(tries()).toBe(4)
    await next.server.ready
  })

  test('R2 because the browser does not open the database tells its tab so, and serves once it opens', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const world = new World({ tools: [hello] })
    // A page that ignores versionchange, and a deletion that waits for it: whoever opens the database waits behind both.
    const holder = await openDB(world.name, version)
    const deletion = indexedDB.deleteDatabase(world.name)
    const worker = world.worker()
    const refused = expect(worker.server.ready).rejects.toMatchObject({ code: 'storage_busy' })
    const told = expect(world.tab({ worker })).rejects.toMatchObject({ code: 'blocked' })
    await pass(60_000)
    await refused
    await told
    expect(worker.eventsOf('blocked').length).toBeGreaterThan(0)
    holder.close()
    await new Promise((resolve) => deletion.addEventListener('success', resolve))
    const { client } = await world.tab({ worker })
    expect(await (await runTask(client, { name: 'hello' })).result()).toMatchObject(text('hello'))
  })

  test('R2 tells a tab that waits for it why, at each try', async () => {
    const world = new World({ tools: [hello] })
    const first = world.worker()
    const tab = await world.tab()
    const told: unknown[] = []
    tab.client.onerror = (error) => told.push((error as Error & { code?: unknown }).code)
    const { tries } = refuse(3, new DOMException('Internal error', 'UnknownError'))
    world.worker()
    first.kill()
    expect(await (await runTask(tab.client, { name: 'hello' })).result()).toMatchObject(text('hello'))
    expect(tries()).toBe(4)
    expect(told).toContain('storage_refused')
  })

  test('R2 and one whose storage fails later both serve again when that is over, without a reload', async () => {
    const world = new World({ tools: [hello] })
    const worker = world.worker()
    const { client } = await world.tab()
    const spy = vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(() => {
      throw new DOMException('Connection to the database was lost', 'UnknownError')
    })
    const call = { method: 'tasks/list' as const }
    await expect(client.request(call, ListTasksResultSchema)).rejects.toMatchObject({
      data: { code: 'storage_refused' }
    })
    spy.mockRestore()
    expect(await client.request(call, ListTasksResultSchema)).toMatchObject({ tasks: [] })
    expect(worker.eventsOf('lost').length).toBeGreaterThan(0)
  })

  test('is refused for good when its options make no sense', async () => {
    const world = new World({ tools: [hello, hello] })
    const worker = world.worker()
    for (let times = 0; times < 2; times += 1) {
      await expect(world.tab({ worker })).rejects.toMatchObject({ code: 'duplicate_tool' })
    }
  })
})

describe('a worker that was superseded', () => {
  test('gives up its tasks and its name at once, however many, and takes none of them back', async () => {
    const working = gate()
    const tool = toolOf('work', () => (working.open(), new Promise(() => undefined)), { onInterrupt: 'resume' })
    const world = new World({ tools: [tool], limits: { unfinished: 1000 } })
    const old = world.worker()
    const { client } = await world.tab()
    for (let n = 0; n < 120; n += 1) await runTask(client, { name: 'work' })
    await working.opened
    const newer = await openDB(world.name, 999)
    onTestFinished(() => newer.close())
    const rows = (await newer.getAll('tasks')) as { executor: string; attempt: number }[]
    expect(rows).toHaveLength(120)
    expect(new Set(rows.map(({ executor, attempt }) => `${executor} ${attempt}`))).toEqual(new Set([' 1']))
    expect(old.eventsOf('error')).toEqual([])
    expect(old.eventsOf('recovered')).toEqual([])
    await vi.waitFor(() => expect(world.locks.held(`${world.name}:executor:`)).toEqual([]))
  })

  test('serves again when the newer database is gone', async () => {
    const world = new World({ tools: [hello] })
    const worker = world.worker()
    await world.tab()
    const newer = await openDB(world.name, 999)
    await expect(world.tab({ worker })).rejects.toMatchObject({ code: 'superseded' })
    newer.close()
    const deletion = indexedDB.deleteDatabase(world.name)
    await new Promise((resolve) => deletion.addEventListener('success', resolve))
    const { client } = await world.tab({ worker })
    const run = await runTask(client, { name: 'hello' })
    expect(await (await followTask(client, run.taskId)).result()).toMatchObject(text('hello'))
  })
})
