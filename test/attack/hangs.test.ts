// A page that hangs without an event, in a debugger, an endless loop or a dialog, keeps no question from others.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { followTask, listQuestions, runTask } from '../../src/index.js'
import { forms, rawTab } from '../support/raw-tab.js'
import { gate, text, toolOf } from '../support/tools.js'
import { pass } from '../support/turns.js'
import { World, type WorldWorker } from '../support/world.js'

const form = { message: '?', requestedSchema: { type: 'object' as const, properties: {} } }
const accept = { action: 'accept' as const, content: {} }
const never = (): Promise<never> => new Promise(() => undefined)
const ask = toolOf('ask', async (_, task) => text((await task.elicit(form)).action))
const longEnough = 10_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** The page that is asked first takes nothing from then on, until the returned function is called. */
function hangs(worker: WorldWorker): () => void {
  const wakes = gate()
  const stop = worker.onpoint((point) => {
    if (point !== 'send:elicitation/create') return undefined
    stop()
    return wakes.opened
  })
  return () => wakes.open()
}

describe('R23 a page that hangs with a question', () => {
  test('has others asked as well: their answer counts, also once it is back', async () => {
    const world = new World({ tools: [ask], deliveryGrace: 1000 })
    const worker = world.worker()
    const wake = hangs(worker)
    const first = await world.tab({ onelicit: never })
    const run = await runTask(first.client, { name: 'ask' })
    const result = run.result()
    const answers = gate()
    const shown = gate()
    const other = await world.tab({ onelicit: async () => (shown.open(), await answers.opened, accept) })
    await pass(longEnough)
    await shown.opened
    wake()
    await pass(longEnough)
    expect(await listQuestions(first.client)).toMatchObject([{ here: false, shown: true }])
    answers.open()
    expect(await result).toMatchObject(text('accept'))
    expect(await (await followTask(other.client, run.taskId)).result()).toMatchObject(text('accept'))
    expect(worker.eventsOf('error')).toEqual([])
  })

  test('keeps it when nobody else could answer, and is not asked twice', async () => {
    const world = new World({ tools: [ask], deliveryGrace: 1000 })
    const worker = world.worker()
    const wake = hangs(worker)
    const tab = await rawTab(world, { capabilities: forms })
    const { taskId } = await tab.create('ask')
    const result = tab.result(taskId)
    await pass(longEnough)
    const watching = await world.tab()
    expect(await listQuestions(watching.client)).toMatchObject([{ taskId, shown: false }])
    wake()
    const question = await tab.next('elicitation/create')
    await pass(longEnough)
    expect(await listQuestions(watching.client)).toMatchObject([{ taskId, shown: true }])
    await tab.answer(question, { result: accept })
    expect(await result).toMatchObject(text('accept'))
    expect(tab.heard('elicitation/create')).toHaveLength(1)
    expect(tab.heard('notifications/cancelled')).toEqual([])
  })

  test('is asked nothing else meanwhile, and holds up no question of others', async () => {
    const world = new World({ tools: [ask], deliveryGrace: 1000 })
    const worker = world.worker()
    const wake = hangs(worker)
    const hung = await rawTab(world, { capabilities: forms })
    await hung.create('ask')
    await pass(2000)
    const other = await rawTab(world, { capabilities: forms })
    const { taskId } = await other.create('ask')
    await pass(2000)
    // Offered while the first is still on its way.
    await other.answer(await other.next('elicitation/create'), { result: accept })
    await pass(longEnough)
    expect(await other.get(taskId)).toMatchObject({ status: 'completed' })
    const next = await hung.create('ask')
    await pass(longEnough)
    expect(other.heard('elicitation/create')).toHaveLength(3)
    wake()
    await pass(longEnough)
    expect(worker.eventsOf('claimed').filter(({ taskId }) => taskId === next.taskId)).toHaveLength(1)
  })
})
