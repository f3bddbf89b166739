// Time: people take longer than timers of requests, and nobody looks again and again.

import { getEventListeners } from 'node:events'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { runTask } from '../../src/index.js'
import { awaitOutcome } from '../../src/tasks/result-loop.js'
import { newTask, openEngine } from '../support/engine.js'
import { forms, rawTab } from '../support/raw-tab.js'
import { gate, text, toolOf } from '../support/tools.js'
import { pass, turn } from '../support/turns.js'
import { World } from '../support/world.js'

const form = { message: '?', requestedSchema: { type: 'object' as const, properties: {} } }
const accept = { action: 'accept' as const, content: {} }
const hour = 3_600_000

afterEach(() => {
  vi.useRealTimers()
})

const fakeTime = (): void => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })

describe('a person', () => {
  test('C6 F12 may take an hour to answer: neither the question nor the wait for the result times out', async () => {
    fakeTime()
    const world = new World({ tools: [toolOf('ask', async (_, task) => text((await task.elicit(form)).action))] })
    const shown = gate()
    const answered = gate()
    const { client } = await world.tab({
      onelicit: async () => {
        shown.open()
        await answered.opened
        return accept
      }
    })
    const run = await runTask(client, { name: 'ask' })
    const result = run.result()
    await shown.opened
    await pass(hour)
    expect(run.task.status).toBe('input_required')
    answered.open()
    expect(await result).toMatchObject(text('accept'))
  })

  test('B7 F12 has the whole time of a question, from when it is shown; then it goes from the screen, and comes to none', async () => {
    fakeTime()
    const timedOut = gate<unknown>()
    const go = gate()
    const tool = toolOf('ask', async (_, task) => {
      await task.elicit(form, { timeout: 1000 }).catch(timedOut.open)
      await go.opened
      return text('went on')
    })
    const world = new World({ tools: [tool] })
    const a = await rawTab(world, { capabilities: forms })
    const { taskId } = await a.create('ask')
    // Nobody waits, and nobody is asked.
    await pass(30_000)
    const result = a.result(taskId)
    const question = await a.next('elicitation/create')
    await pass(900)
    expect(a.heard('notifications/cancelled')).toEqual([])
    await pass(200)
    expect(await timedOut.opened).toMatchObject({ code: -32001 })
    expect((await a.next('notifications/cancelled')).params.requestId).toBe(question.id)
    expect(await a.get(taskId)).toMatchObject({ status: 'working' })
    await a.answer(question, { result: accept }).catch(() => undefined)
    const b = await rawTab(world, { capabilities: forms })
    const other = b.result(taskId)
    await b.quiet()
    expect(b.heard('elicitation/create')).toEqual([])
    go.open()
    for (const wait of [result, other]) expect(await wait).toMatchObject(text('went on'))
  })
})

describe('a wait', () => {
  test('C4 that its app aborts cancels the task at once', async () => {
    const stopped = gate<unknown>()
    const tool = toolOf('wait', (_, task) => {
      task.signal.addEventListener('abort', () => stopped.open(task.signal.reason))
      return stopped.opened.then(() => text('late'))
    })
    const { client } = await new World({ tools: [tool] }).tab()
    const giveUp = new AbortController()
    const run = await runTask(client, { name: 'wait' }, { signal: giveUp.signal })
    const result = run.result()
    giveUp.abort()
    expect(await stopped.opened).toMatchObject({ code: 'aborted' })
    expect(await result).toMatchObject({ isError: true, ...text('Task was cancelled') })
    expect(run.task.status).toBe('cancelled')
    expect(getEventListeners(giveUp.signal, 'abort')).toEqual([])
  })

  test('D2 D3 C1 has one listener on its signal, however often it is woken, and none afterwards', async () => {
    const engine = await openEngine()
    const { task, fence } = await newTask(engine)
    const { signal } = new AbortController()
    const wait = awaitOutcome(engine, {
      taskId: task.taskId,
      owner: task.owner,
      claimant: () => ({ connection: 'c', can: [] }),
      place: 0,
      send: async () => undefined,
      signal
    })
    for (let i = 0; i < 50; i++) {
      await engine.tasks.report(fence, { statusMessage: String(i) })
      await turn()
      expect(getEventListeners(signal, 'abort').length).toBeLessThanOrEqual(1)
    }
    await engine.tasks.finish(fence, { status: 'completed', outcome: { result: {} } })
    expect(await wait).toMatchObject({ outcome: { result: {} } })
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  test('C1 C5 F10 of an hour reads the store in the pass every 30 seconds, and not between', async () => {
    fakeTime()
    const go = gate()
    const world = new World({ tools: [toolOf('slow', async () => (await go.opened, text('done')))] })
    const { client } = await world.tab()
    const results = [
      client.callTool({ name: 'slow' }, undefined, { timeout: 2 * hour }),
      (await runTask(client, { name: 'slow' })).result()
    ]
    await pass(1000)
    const reads = vi.spyOn(IDBDatabase.prototype, 'transaction')
    await pass(25_000)
    expect(reads).not.toHaveBeenCalled()
    await pass(hour)
    // One for each who waits, and one for each thing that is compared.
    expect(reads.mock.calls.length).toBeLessThanOrEqual((hour / 30_000 + 1) * 9)
    reads.mockRestore()
    go.open()
    for (const result of results) expect(await result).toMatchObject(text('done'))
  })
})
