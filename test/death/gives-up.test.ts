// A worker whose database is taken from under it, by a deletion or by the browser; and a client that gives up a call.

import { deleteDB, openDB } from 'idb'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { listQuestions, runTask } from '../../src/index.js'
import { stores, version } from '../../src/storage/schema.js'
import { gate, text, toolOf } from '../support/tools.js'
import { pass } from '../support/turns.js'
import { World } from '../support/world.js'

const form = { message: '?', requestedSchema: { type: 'object' as const, properties: {} } }
const never = (): Promise<never> => new Promise(() => undefined)

/** Keeps the connections that are opened, as only the browser can. */
function connections(): IDBDatabase[] {
  const opened: IDBDatabase[] = []
  const { open } = IDBFactory.prototype
  const spy = vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(function (this: IDBFactory, ...args) {
    const request = open.apply(this, args)
    request.addEventListener('success', () => opened.push(request.result))
    return request
  })
  onTestFinished(() => spy.mockRestore())
  return opened
}

/** All rows go, and the connection of the worker closes, as when a person clears the site's data. */
async function wipe(name: string, connection: IDBDatabase | undefined): Promise<void> {
  const other = await openDB(name, version)
  const tx = other.transaction(stores, 'readwrite')
  await Promise.all(stores.map((store) => tx.objectStore(store).clear()))
  await tx.done
  other.close()
  connection?.close()
  connection?.dispatchEvent(new IDBVersionChangeEvent('close'))
}

const losses: [how: string, lose: (name: string, connection: IDBDatabase | undefined) => Promise<void>][] = [
  ['R3 a script deletes', (name) => deleteDB(name)],
  ['R17 the browser wipes and closes', wipe]
]

describe.each(losses)('when %s the database', (_, lose) => {
  test('all that was there is given up at once, all are told, and what comes next is served', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const opened = connections()
    const aborted = gate<unknown>()
    const tool = toolOf('job', async (_args, task) => {
      task.signal.addEventListener('abort', () => aborted.open(task.signal.reason))
      return text((await task.elicit(form)).action)
    })
    const world = new World({ tools: [tool, toolOf('quick', () => text('done'))] })
    const worker = world.worker()
    const shown = gate<AbortSignal>()
    const { client } = await world.tab({ onelicit: (_params, _id, signal) => (shown.open(signal), never()) })
    const result = (await runTask(client, { name: 'job' })).result()
    const told = expect(result).rejects.toMatchObject({ code: -32602 })
    const screen = await shown.opened
    await lose(world.name, opened[0])
    // No time passes.
    await pass(0)
    expect(worker.eventsOf('lost')).toHaveLength(1)
    expect(await aborted.opened).toMatchObject({ code: 'superseded' })
    expect(screen.aborted).toBe(true)
    await told
    expect(await listQuestions(client)).toEqual([])
    expect(await (await runTask(client, { name: 'quick' })).result()).toMatchObject(text('done'))
    expect(worker.eventsOf('error')).toEqual([])
  })
})

test('R26 a call that its client cancels before it has the id of the task leaves no task that runs', async () => {
  const ran = vi.fn(() => text('done'))
  const world = new World({ tools: [toolOf('job', ran)] })
  const worker = world.worker()
  const { client } = await world.tab()
  const stored = gate()
  const go = gate()
  worker.onpoint((point) => {
    if (point !== 'committed:create') return undefined
    stored.open()
    return go.opened
  })
  const giveUp = new AbortController()
  const call = client.callTool({ name: 'job', arguments: {}, task: {} }, undefined, {
    signal: giveUp.signal
  })
  const cancelled = expect(call).rejects.toThrow()
  await stored.opened
  giveUp.abort()
  await cancelled
  // The cancellation travels behind nothing that waits.
  await client.ping()
  go.open()
  await expect.poll(() => worker.eventsOf('finished')).toMatchObject([{ task: { status: 'cancelled' } }])
  expect(ran).not.toHaveBeenCalled()
})
