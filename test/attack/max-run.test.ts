// R24 A handler that never ends does not keep a place for as long as its result would be kept.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runTask } from '../../src/index.js'
import { gate, text, toolOf } from '../support/tools.js'
import { pass } from '../support/turns.js'
import { World } from '../support/world.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const never = (): Promise<never> => new Promise(() => undefined)
const minute = 60_000

test('R24 after maxRun the task fails and says why, the handler hears, and its place is free', async () => {
  const aborted = gate<unknown>()
  const endless = toolOf(
    'endless',
    (_, { signal }) => (signal.addEventListener('abort', () => aborted.open(signal.reason)), never()),
    {
      maxRun: minute
    }
  )
  const world = new World({ tools: [endless], limits: { unfinished: 1 } })
  const { client } = await world.tab()
  const run = await runTask(client, { name: 'endless' })
  const result = run.result()
  await pass(minute - 1000)
  await expect(runTask(client, { name: 'endless' })).rejects.toMatchObject({ data: { code: 'limit_reached' } })
  expect(run.task.status).toBe('working')
  await pass(2000)
  const why = `Tool endless ran longer than its maxRun of ${minute} ms, and was stopped`
  expect(await result).toMatchObject({ isError: true, ...text(why) })
  expect(run.task).toMatchObject({ status: 'failed', statusMessage: why })
  expect(await aborted.opened).toMatchObject({ code: 'aborted' })
  expect(await runTask(client, { name: 'endless' })).toMatchObject({ task: { status: 'working' } })
})

test('R24 what ends in time is as without maxRun, and leaves no timer', async () => {
  const go = gate()
  const world = new World({
    tools: [toolOf('quick', async () => (await go.opened, text('done')), { maxRun: 2_147_483_647 })]
  })
  const { client } = await world.tab()
  const run = await runTask(client, { name: 'quick' })
  const timers = vi.getTimerCount()
  go.open()
  expect(await run.result()).toMatchObject(text('done'))
  await pass(1000)
  expect(vi.getTimerCount()).toBeLessThan(timers)
})

test('R24 a cancelled handler that never ends keeps nothing', async () => {
  const world = new World({ tools: [toolOf('endless', never)], limits: { unfinished: 1 } })
  const { client } = await world.tab()
  for (let i = 0; i < 3; i++) await (await runTask(client, { name: 'endless' })).cancel()
  expect((await runTask(client, { name: 'endless' })).task.status).toBe('working')
})
