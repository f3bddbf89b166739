// A question that the client answers by a task of its own is not asked again.

import { expect, test } from 'vitest'
import { followTask, runTask } from '../../src/index.js'
import { form, hostTab, tools } from '../support/host-tab.js'
import { gate, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

test.each(['before:host', 'committed:host'])(
  'R13 is asked once, and its task is followed on, when the worker dies at %s',
  async (deadly) => {
    const end = gate()
    const elicits = toolOf('elicits', async (_, task) => text((await task.elicit(form, { task: {} })).action), {
      onInterrupt: 'resume'
    })
    const world = new World({ tools: [elicits] })
    const worker = world.worker()
    worker.onpoint((point) => (point === deadly ? worker.kill() : undefined))
    const { client, store } = await hostTab(world, end.opened)
    const run = await runTask(client, { name: 'elicits' })
    const result = run.result()
    await expect.poll(() => world.workers[1]?.points).toContain('committed:adopt')
    end.open()
    expect(await result).toMatchObject(text('decline'))
    expect(store.getAllTasks()).toHaveLength(1)
  }
)

test('R13 is asked again of another client when its own is gone', async () => {
  const world = new World({ tools })
  const first = await hostTab(world, new Promise(() => undefined))
  const run = await runTask(first.client, { name: 'elicits' })
  run.result().catch(() => undefined)
  await expect.poll(() => world.living().points).toContain('committed:host')
  const second = await hostTab(world)
  const result = (await followTask(second.client, run.taskId)).result()
  first.crash()
  expect(await result).toMatchObject(text('decline'))
  expect(second.store.getAllTasks()).toHaveLength(1)
})

test('R13 an answer of its task that cannot be stored is fetched again', async () => {
  const end = gate()
  const world = new World({ tools })
  const worker = world.worker()
  const { client } = await hostTab(world, end.opened)
  const run = await runTask(client, { name: 'elicits' })
  const result = run.result()
  await expect.poll(() => worker.points).toContain('committed:host')
  let failures = 0
  worker.onpoint((point) => {
    if (point !== 'before:answer' || failures === 1) return
    failures += 1
    throw new Error('The storage failed')
  })
  end.open()
  expect(await result).toMatchObject(text('decline'))
  expect(failures).toBe(1)
})
