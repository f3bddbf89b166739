// What a worker owes others is done in spite of the storage: each write fails three times in a row, before it is made or
// after its commit, and one more pass puts all right.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { followTask, listQuestions, runTask } from '../../src/index.js'
import { forms, rawTab } from '../support/raw-tab.js'
import { gate, text, toolOf } from '../support/tools.js'
import { pass } from '../support/turns.js'
import { World, type WorldWorker } from '../support/world.js'

const form = { message: '?', requestedSchema: { type: 'object' as const, properties: {} } }
const accept = { action: 'accept' as const, content: {} }
const grace = 1000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Makes the next three writes of this name fail; tells how many did. */
function failThrice(worker: WorldWorker, point: string): () => number {
  let failures = 0
  worker.onpoint((at) => {
    if (at !== point || failures === 3) return
    failures += 1
    throw new Error(`${point} failed`)
  })
  return () => failures
}

/** Three tries in vain and the one that succeeds. */
const onePass = (): Promise<void> => pass(30_000)

const never = (): Promise<never> => new Promise(() => undefined)

/** At the latter the write is stored, and nobody knows. */
const moments = ['before', 'committed'] as const

describe.each(moments)('where each write fails three times, at %s:', (moment) => {
  /** What is stored is not written again. */
  const least = moment === 'before' ? 3 : 1

  test('R6 the task of a dead worker is taken over', async () => {
    const atWork = gate()
    const tool = toolOf('job', (_, { attempt }) => (atWork.open(), attempt === 1 ? never() : text('resumed')), {
      onInterrupt: 'resume'
    })
    const world = new World({ tools: [tool] })
    const first = world.worker()
    const run = await runTask((await world.tab()).client, { name: 'job' })
    await atWork.opened
    const heir = world.worker()
    await heir.server.ready
    const failures = failThrice(heir, `${moment}:adopt`)
    first.kill()
    await onePass()
    expect(failures()).toBe(least)
    const { client } = await world.tab({ worker: heir })
    expect(await (await followTask(client, run.taskId)).result()).toMatchObject(text('resumed'))
  })

  test('R6 the task of a dead worker that cannot resume is failed', async () => {
    const atWork = gate()
    const world = new World({ tools: [toolOf('job', () => (atWork.open(), never()))] })
    const first = world.worker()
    const run = await runTask((await world.tab()).client, { name: 'job' })
    await atWork.opened
    const heir = world.worker()
    await heir.server.ready
    const failures = failThrice(heir, `${moment}:finish`)
    first.kill()
    await onePass()
    expect(failures()).toBeGreaterThanOrEqual(least)
    const { client } = await world.tab({ worker: heir })
    expect((await followTask(client, run.taskId)).task).toMatchObject({ status: 'failed' })
  })

  test('R6 the question of a tab that is gone comes to another', async () => {
    const world = new World({
      tools: [toolOf('ask', async (_, task) => text((await task.elicit(form)).action))],
      deliveryGrace: grace
    })
    const worker = world.worker()
    const shown = gate()
    const holder = await world.tab({ onelicit: () => (shown.open(), never()) })
    const run = await runTask(holder.client, { name: 'ask' })
    run.result().catch(() => undefined)
    await shown.opened
    const other = await world.tab({ onelicit: () => accept })
    const failures = failThrice(worker, `${moment}:give-back`)
    holder.crash()
    await onePass()
    await onePass()
    expect(failures()).toBeGreaterThanOrEqual(least)
    expect(await (await followTask(other.client, run.taskId)).result()).toMatchObject(text('accept'))
  })

  test('R6 a question for which nobody waits is offered', async () => {
    const world = new World({
      tools: [toolOf('ask', async (_, task) => text((await task.elicit(form)).action))],
      deliveryGrace: grace
    })
    const worker = world.worker()
    const failures = failThrice(worker, `${moment}:take`)
    const tab = await rawTab(world, { capabilities: forms })
    const { taskId } = await tab.create('ask')
    await onePass()
    await onePass()
    expect(failures()).toBeGreaterThanOrEqual(least)
    const question = await tab.next('elicitation/create')
    expect(tab.heard('elicitation/create')).toHaveLength(1)
    await tab.answer(question, { result: accept })
    await pass(0)
    expect(await tab.get(taskId)).toMatchObject({ status: 'completed' })
  })

  test('R6 a question that its asker claimed for a tab that had left comes to another', async () => {
    const go = gate()
    const tool = toolOf('ask', async (_, task) => (await go.opened, text((await task.elicit(form)).action)))
    const world = new World({ tools: [tool], deliveryGrace: grace })
    const worker = world.worker()
    const leaver = await world.tab({ onelicit: never })
    const run = await runTask(leaver.client, { name: 'ask' })
    run.result().catch(() => undefined)
    const other = await world.tab({ onelicit: () => accept })
    await pass(0)
    const failures = failThrice(worker, `${moment}:give-back`)
    worker.onpoint((point) => (point === 'committed:ask' ? leaver.crash() : undefined))
    go.open()
    await onePass()
    await onePass()
    expect(failures()).toBeGreaterThan(0)
    expect(await listQuestions(other.client)).toEqual([])
    expect(await (await followTask(other.client, run.taskId)).result()).toMatchObject(text('accept'))
  })

  test('R26 a plain call that its client cancelled is cancelled', async () => {
    const aborted = gate<unknown>()
    const tool = toolOf(
      'job',
      (_, { signal }) => (signal.addEventListener('abort', () => aborted.open(signal.reason)), never())
    )
    const world = new World({ tools: [tool] })
    const worker = world.worker()
    const tab = await rawTab(world)
    const call = tab.ask('tools/call', { name: 'job', arguments: {} })
    await pass(0)
    const [created] = worker.eventsOf('created')
    const failures = failThrice(worker, `${moment}:finish`)
    const acknowledged = tab.notify('notifications/cancelled', { requestId: call.id })
    await onePass()
    await acknowledged
    expect(failures()).toBeGreaterThanOrEqual(least)
    expect(await aborted.opened).toMatchObject({ code: 'aborted' })
    expect(await tab.get(created?.task.taskId ?? '')).toMatchObject({ status: 'cancelled' })
  })

  test('the mark of a result that was fetched is made', async () => {
    const world = new World({ tools: [toolOf('job', () => text('done'))] })
    const worker = world.worker()
    const { client } = await world.tab()
    const failures = failThrice(worker, `${moment}:fetched`)
    await (await runTask(client, { name: 'job' })).result()
    await onePass()
    expect(failures()).toBe(3)
    expect(worker.points.filter((point) => point === 'committed:fetched')).toHaveLength(moment === 'before' ? 1 : 4)
  })
})

test('R6 what has expired is ended, and told, though the sweep fails three times', async () => {
  const world = new World({ tools: [toolOf('job', never)] })
  const worker = world.worker()
  const { client } = await world.tab()
  const run = await runTask(client, { name: 'job' }, { ttl: 10_000 })
  const failures = failThrice(worker, `before:sweep`)
  const result = run.result()
  await onePass()
  expect(failures()).toBe(3)
  expect(await result).toMatchObject({ isError: true })
  expect(worker.eventsOf('expired')).toHaveLength(1)
})
