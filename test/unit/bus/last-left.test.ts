// A watch need not read what its own worker wrote last.

import { expect, it, onTestFinished, vi } from 'vitest'
import { openBus } from '../../../src/bus/update-bus.js'
import type { UpdateBus } from '../../../src/types.js'
import { recordOf } from '../../support/record.js'

const channel = `test:${crypto.randomUUID()}`

function bus(): UpdateBus {
  const opened = openBus(channel)
  onTestFinished(() => opened.close())
  return opened
}

/** What a watch that begins now is told first. */
const firstOf =
  (of: UpdateBus, taskId = 't') =>
  async () =>
    (await of.watch(taskId, new AbortController().signal).next()).value

it('a watch begins with what the last write of its own worker left, but for the outcome', async () => {
  const a = bus()
  const task = recordOf({ taskId: 't', revision: 2 })
  const first = firstOf(a)
  expect(await first()).toBeUndefined()
  a.publish('t', { task })
  expect(await first()).toEqual({ task })
  a.publish('t')
  expect(await first()).toBeUndefined()
  a.publish('t', { task })
  a.publish('t', { task, outcome: { result: {} } })
  expect(await first()).toBeUndefined()
})

it('a watch begins with nothing once another worker wrote, or may have', async () => {
  const [a, b] = [bus(), bus()]
  const task = recordOf({ taskId: 't', revision: 2 })
  const first = firstOf(a)
  a.publish('t', { task })
  b.publish('t')
  await vi.waitFor(async () => expect(await first()).toBeUndefined())
  a.publish('t', { task })
  expect(await first()).toEqual({ task })
  a.wakeAll()
  expect(await first()).toBeUndefined()
})

it('a creation that is told late hides nothing that came of it', async () => {
  const a = bus()
  const created = { task: recordOf({ taskId: 't', revision: 1 }) }
  const first = firstOf(a)
  a.publish('t')
  a.publish('t', created)
  expect(await first()).toBeUndefined()
  a.publish('u', created)
  expect(await firstOf(a, 'u')()).toEqual(created)
})

it('of very many tasks only the newest are remembered', async () => {
  const a = bus()
  const left = (taskId: string) => ({ task: recordOf({ taskId, revision: 2 }) })
  for (let n = 0; n <= 1000; n += 1) a.publish(`t${n}`, left(`t${n}`))
  expect(await firstOf(a, 't0')()).toBeUndefined()
  expect(await firstOf(a, 't1')()).toEqual(left('t1'))
  expect(await firstOf(a, 't1000')()).toEqual(left('t1000'))
})
