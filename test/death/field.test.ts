// What happened to others, with our names for it.

import { deleteDB } from 'idb'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { followTask, listTasks, runTask } from '../../src/index.js'
import { gate, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

afterEach(() => {
  vi.useRealTimers()
})

describe('a tool that takes its time', () => {
  test('F55 holds no transaction open while it works: other tasks come and go', async () => {
    const inStep = gate()
    const go = gate()
    const slow = toolOf('slow', async (_, task) => {
      await task.step('slow', async () => {
        inStep.open()
        await go.opened
      })
      return text('slow')
    })
    const world = new World({ tools: [slow, toolOf('quick', () => text('quick'))] })
    const { client } = await world.tab()
    const first = await runTask(client, { name: 'slow' })
    await inStep.opened
    for (let i = 0; i < 5; i++) {
      const run = await runTask(client, { name: 'quick' })
      expect(await run.result()).toMatchObject(text('quick'))
    }
    go.open()
    expect(await first.result()).toMatchObject(text('slow'))
  })
})

describe('a worker that was suspended', () => {
  const minutes = 60_000

  test('F63 wakes to stored times: what was due is over at once, and the rest goes on', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: 1_700_000_000_000 })
    const napping = toolOf('nap', async (_, task) => {
      await task.sleep(5 * minutes)
      return text('woke')
    })
    const forever = toolOf('forever', () => new Promise(() => undefined), { ttl: 2 * minutes })
    const world = new World({ tools: [napping, forever] })
    const { client } = await world.tab()
    const nap = await runTask(client, { name: 'nap' })
    const overrun = await runTask(client, { name: 'forever' })
    // Ten minutes pass in which no timer fires.
    vi.setSystemTime(Date.now() + 10 * minutes)
    const { tasks } = await listTasks(client)
    expect(tasks.map(({ taskId, status }) => [taskId, status])).toEqual([
      [nap.taskId, 'working'],
      [overrun.taskId, 'failed']
    ])
    expect(await overrun.result()).toMatchObject({ isError: true })
    // Timers count on from where the suspension stopped them, and look at the clock every 30 seconds.
    await vi.advanceTimersByTimeAsync(30_000)
    expect(await nap.result()).toMatchObject(text('woke'))
  })
})

describe('a clock that is set back', () => {
  test('lengthens no sleep', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_700_000_000_000 })
    const world = new World({ tools: [toolOf('nap', async (_, task) => (await task.sleep(30), text('woke')))] })
    const { client } = await world.tab()
    world.onpoint((_worker, point) => {
      if (point === 'committed:step') vi.setSystemTime(Date.now() - 60 * 60_000)
    })
    const run = await runTask(client, { name: 'nap' })
    expect(await run.result()).toMatchObject(text('woke'))
  })
})

describe('storage that the browser deleted', () => {
  test('F53 is told as a task that is not there, and the next one is made as ever', async () => {
    const quick = toolOf('quick', () => text('done'))
    const world = new World({ tools: [quick] })
    const a = await world.tab()
    const { taskId } = await runTask(a.client, { name: 'quick' })
    await a.close()
    world.living().server.close()
    world.living().kill()
    await deleteDB(world.name)

    const b = await world.tab()
    await expect(followTask(b.client, taskId)).rejects.toMatchObject({ code: -32602 })
    const run = await runTask(b.client, { name: 'quick' })
    expect(await run.result()).toMatchObject(text('done'))
  })
})

test('what expired while nobody was here is not run again', async () => {
  let attempts = 0
  const hang = toolOf('hang', () => new Promise(() => (attempts += 1)), {
    onInterrupt: 'resume',
    taskSupport: 'required',
    ttl: 1_000
  })
  const world = new World({ tools: [hang] })
  const tab = await world.tab()
  await runTask(tab.client, { name: 'hang' })
  await tab.close()
  world.living().kill()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1_100 })
  await world.tab()
  expect(world.living().eventsOf('expired')).toHaveLength(1)
  expect(attempts).toBe(1)
})
