// What devtools ask of a worker, over the wire.

import { ResultSchema } from '@modelcontextprotocol/sdk/types.js'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { describe, expect, test, vi } from 'vitest'
import { runTask } from '../../src/index.js'
import { confirmDelete, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

interface Answer {
  [key: string]: unknown
  sessions: { here: boolean; questions: number }[]
  log: { entries: { type: string; text?: string; taskId?: string; tool?: string }[]; dropped: number }
  storage: { rows: Record<string, number>; next: { taskId: string; expiresAt: number }[] }
}

const read = (client: Client, params: object = {}): Promise<Answer> =>
  client.request({ method: 'intab/worker/read', params: { ...params } }, ResultSchema) as unknown as Promise<Answer>

const unanswered = () => new Promise<never>(() => undefined)
const speaks = toolOf('speaks', () => {
  console.warn('spoken', { by: 'the tool' })
  return text('done')
})

describe('intab/worker/read', () => {
  test('tells who the worker is, who is connected and waits, and what is stored', async () => {
    const world = new World({ tools: [confirmDelete] })
    const asking = await world.tab({ onelicit: unanswered })
    const other = await world.tab()
    const run = await runTask(asking.client, { name: 'confirm_delete', arguments: { filename: 'a' } })
    run.result().catch(() => undefined)
    await vi.waitFor(async () => {
      const { sessions } = await read(other.client)
      expect(sessions.map(({ here, questions }) => `${here} ${questions}`).toSorted()).toEqual(['false 1', 'true 0'])
    })
    const before = Date.now()
    const told = await read(other.client, { storage: true })
    expect(told).toMatchObject({
      name: 'world',
      worker: other.transport.worker,
      connections: 2,
      runs: 1,
      waiters: 1
    })
    expect(told.workers).toEqual([told.lock])
    expect(told.since).toBeLessThanOrEqual(before)
    expect(told.storage.rows).toMatchObject({ tasks: 1, calls: 1, messages: 1, outcomes: 0, owners: 1 })
    expect(told.storage.next).toMatchObject([{ taskId: run.taskId, tool: 'confirm_delete' }])
    expect(told.storage.next[0]?.expiresAt).toBeGreaterThan(before)
  })

  test('keeps events and console from the first reading that asks for them until one that does not', async () => {
    const world = new World({ tools: [speaks] })
    const { client } = await world.tab()
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    const spied = console.warn
    const speak = async (): Promise<void> => void (await (await runTask(client, { name: 'speaks' })).result())
    await speak()
    expect((await read(client, { log: ['events', 'console'] })).log).toEqual({ entries: [], dropped: 0 })
    expect(console.warn).not.toBe(spied)
    await speak()
    const { entries } = (await read(client, { log: ['console'] })).log
    expect(entries).toMatchObject([
      { type: 'created', tool: 'speaks' },
      { type: 'warn', text: 'spoken {"by":"the tool"}' },
      { type: 'finished', tool: 'speaks' }
    ])
    await speak()
    expect((await read(client)).log.entries.map(({ type }) => type)).toEqual(['warn'])
    expect(console.warn).toBe(spied)
    expect(warn).toHaveBeenCalledTimes(3)
    await speak()
    expect((await read(client)).log.entries).toEqual([])
  })

  test('holds so many entries, and says how many had to go', async () => {
    const world = new World({
      tools: [
        toolOf('noisy', () => {
          for (let n = 0; n < 2500; n += 1) console.debug(`line ${n}`)
          return text('done')
        })
      ]
    })
    const { client } = await world.tab()
    vi.spyOn(console, 'debug').mockReturnValue()
    await read(client, { log: ['console'] })
    await (await runTask(client, { name: 'noisy' })).result()
    const { entries, dropped } = (await read(client)).log
    expect(entries.length + dropped).toBe(2500)
    expect(entries.length).toBeLessThanOrEqual(2000)
    expect(entries.at(-1)).toMatchObject({ text: 'line 2499' })
  })

  test('tells an owner nothing of another, and nothing of the worker that could speak of one', async () => {
    const world = new World({ tools: [speaks, confirmDelete], owner: ({ data }) => JSON.stringify(data) })
    const [ada, bob] = [await world.tab({ data: 'ada', onelicit: unanswered }), await world.tab({ data: 'bob' })]
    vi.spyOn(console, 'warn').mockReturnValue()
    const both = { log: ['events', 'console'] }
    await Promise.all([read(ada.client, both), read(bob.client, both)])
    await (await runTask(ada.client, { name: 'speaks' })).result()
    const run = await runTask(ada.client, { name: 'confirm_delete', arguments: { filename: 'a' } })
    run.result().catch(() => undefined)
    const heard: string[] = []
    await vi.waitFor(async () => {
      heard.push(...(await read(ada.client, both)).log.entries.map(({ type }) => type))
      expect(heard).toContain('delivered')
    })
    expect(heard).toEqual(['created', 'finished', 'created', 'claimed', 'delivered'])
    const told = await read(bob.client, { ...both, storage: true })
    expect(told).toMatchObject({
      isShared: true,
      connections: 2,
      waiters: 0,
      log: { entries: [] },
      storage: { next: [] }
    })
    expect(told.sessions.map(({ here }) => here)).toEqual([true])
    expect(JSON.stringify(told)).not.toContain('ada')
    const stop = bob.client.request({ method: 'intab/worker/stop' }, ResultSchema)
    await expect(stop).rejects.toMatchObject({ code: -32601, message: expect.stringContaining('several owners') })
  })
})

test('a server that has no worker of its own is not ended from a tab', async () => {
  const { client } = await new World().tab()
  const stop = client.request({ method: 'intab/worker/stop' }, ResultSchema)
  await expect(stop).rejects.toMatchObject({
    code: -32601,
    message: expect.stringContaining('end its page or process')
  })
})
