// What a client has cancelled ends, also when the worker dies over it.

import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, test } from 'vitest'
import type { TaskContext } from '../../src/tasks/task-context.js'
import { envelope, forms, modernTab } from '../support/modern-tab.js'
import { rawTab } from '../support/raw-tab.js'
import { gate, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

/** A tool that resumes and never ends by itself; `began` opens when its first run begins. */
function longWork() {
  const began = gate()
  const runs: TaskContext[] = []
  const tool = toolOf(
    'work',
    (_, task) => {
      runs.push(task)
      began.open()
      return new Promise((_, reject) => task.signal.addEventListener('abort', () => reject(task.signal.reason)))
    },
    { onInterrupt: 'resume' }
  )
  return { tool, began: began.opened, runs }
}

const cancel = (requestId: unknown): object => ({ requestId, reason: 'The user pressed Stop' })

/** The world's one task, once it is in this state. */
async function until(world: World, status: string): Promise<void> {
  const other = await rawTab(world)
  await expect.poll(async () => ((await other.ok('tasks/list')).tasks as { status: string }[])[0]?.status).toBe(status)
}

describe.each([
  ['a plain call', {}],
  ['a plain call of 2026-07-28', { _meta: envelope({ can: forms, tasks: false }) }]
])('%s', (_, more) => {
  test.each(['before:finish', 'committed:finish'])(
    'that is cancelled stays so when the worker dies %s',
    async (deadly) => {
      const { tool, began, runs } = longWork()
      const world = new World({ tools: [tool] })
      const worker = world.worker()
      const tab = await rawTab(world)
      const { id } = tab.ask('tools/call', { name: 'work', ...more })
      await began
      worker.onpoint((point) => (point === deadly ? worker.kill() : undefined))
      await tab.notify('notifications/cancelled', cancel(id) as Record<string, unknown>)
      expect(world.workers).toHaveLength(2)
      await until(world, 'cancelled')
      expect(runs.slice(1).map(({ signal }) => signal.aborted)).not.toContain(false)
      expect(tab.log.filter((message) => 'id' in message && message.id === id)).toEqual([])
    }
  )

  test('that is cancelled while no worker lives is cancelled in the next', async () => {
    const { tool, began } = longWork()
    const world = new World({ tools: [tool] })
    const worker = world.worker()
    const tab = await rawTab(world)
    const { id } = tab.ask('tools/call', { name: 'work', ...more })
    await began
    worker.kill()
    await tab.notify('notifications/cancelled', cancel(id) as Record<string, unknown>)
    await until(world, 'cancelled')
  })
})

test('a call with `task` that is cancelled before its answer stays so when the worker dies before that is stored', async () => {
  const { tool } = longWork()
  const world = new World({ tools: [tool] })
  const worker = world.worker()
  const tab = await rawTab(world)
  const created = gate()
  const held = gate()
  worker.onpoint((point) => {
    if (point === 'before:finish') worker.kill()
    if (point !== 'committed:create') return undefined
    created.open()
    return held.opened
  })
  const { id } = tab.ask('tools/call', { name: 'work', task: {} })
  await created.opened
  const cancelling = tab.notify('notifications/cancelled', cancel(id) as Record<string, unknown>)
  held.open()
  await cancelling
  expect(world.workers).toHaveLength(2)
  await until(world, 'cancelled')
})

describe('a cancellation that crosses the answer', () => {
  test('ends the task that the answer tells of, which the client never sees', async () => {
    const { tool } = longWork()
    const world = new World({ tools: [tool] })
    const worker = world.worker()
    const tab = await rawTab(world)
    const { id, response } = tab.ask('tools/call', { name: 'work', task: {} })
    const seen: JSONRPCMessage[] = []
    response.then((answer) => seen.push(answer as JSONRPCMessage)).catch(() => undefined)
    const crossed = gate()
    worker.onpoint((point) => {
      if (point !== 'send:response') return undefined
      crossed.open()
      return undefined
    })
    await crossed.opened
    await tab.notify('notifications/cancelled', cancel(id) as Record<string, unknown>)
    await until(world, 'cancelled')
    expect(seen).toEqual([])
  })

  test('ends the task whose questions the answer carries', async () => {
    const asks = toolOf('asks', async (_, task) => {
      const { action } = await task.elicit({ message: 'Go on?', requestedSchema: { type: 'object', properties: {} } })
      return text(action)
    })
    const world = new World({ tools: [asks] })
    const worker = world.worker()
    const tab = await modernTab(world, { can: forms, tasks: false })
    const crossed = gate()
    worker.onpoint((point) => (point === 'send:response' ? crossed.open() : undefined))
    const { id } = tab.ask('tools/call', { name: 'asks' })
    await crossed.opened
    await tab.raw.notify('notifications/cancelled', cancel(id) as Record<string, unknown>)
    await until(world, 'cancelled')
  })
})
