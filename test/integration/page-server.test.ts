// A server in a page of its own: it must not keep its tasks while the page is frozen.

import { expect, test } from 'vitest'
import { followTask, runTask } from '../../src/index.js'
import { gate, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

const event = (type: string): Event => Object.assign(new Event(type), { persisted: true })

/** A page with its own server, and another worker; a task runs in the page. */
async function running(attempts: number[] = []) {
  const working = gate()
  const work = toolOf(
    'work',
    (_, task) => {
      attempts.push(task.attempt)
      working.open()
      return task.attempt === 1 ? new Promise(() => undefined) : text(`attempt ${String(task.attempt)}`)
    },
    { onInterrupt: 'resume', taskSupport: 'required' }
  )
  const world = new World({ tools: [work] })
  const page = new EventTarget()
  const host = world.worker({ page })
  const tab = await world.tab({ worker: host, page })
  const { taskId } = await runTask(tab.client, { name: 'work' })
  await working.opened
  return { world, page, host, tab, taskId, attempts }
}

for (const [gone, back] of [
  ['pagehide', 'pageshow'],
  ['freeze', 'resume']
] as const) {
  test(`F61 F69 at ${gone} a server in a page gives its tasks to others, and at ${back} it serves again`, async () => {
    const { world, page, host, tab, taskId } = await running()
    const before = tab.transport.worker
    const other = await world.tab({ worker: world.worker() })
    const result = (await followTask(other.client, taskId)).result()
    page.dispatchEvent(event(gone))
    expect(await result).toMatchObject(text('attempt 2'))
    expect(host.eventsOf('recovered')).toEqual([])

    page.dispatchEvent(event(back))
    expect(await (await followTask(tab.client, taskId)).result()).toMatchObject(text('attempt 2'))
    expect(tab.transport.worker).not.toBe(before)
  })
}

test('F69 a server in a page that nobody relieved resumes its tasks under a new name when the page is back', async () => {
  const { page, host, tab, taskId, attempts } = await running()
  for (const type of ['pagehide', 'freeze', 'resume', 'pageshow']) page.dispatchEvent(event(type))
  const run = await followTask(tab.client, taskId)
  expect(await run.result()).toMatchObject(text('attempt 2'))
  expect(attempts).toEqual([1, 2])
  expect(host.eventsOf('recovered')).toHaveLength(1)
  await host.server.ready
})
