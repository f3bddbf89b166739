import { getEventListeners } from 'node:events'
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { expect, onTestFinished, test, vi } from 'vitest'
import { runTask } from '../../src/index.js'
import { modernTab } from '../support/modern-tab.js'
import { rawTab } from '../support/raw-tab.js'
import { gate, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

const form = { message: '?', requestedSchema: { type: 'object' as const, properties: {} } }
const decline = { action: 'decline' as const }

const ask = toolOf('ask', async ({ hosted }, task) => {
  const options = hosted === true ? { task: { ttl: 60_000 } } : {}
  return text((await task.elicit(form, options)).action)
})

const ways = ['a question', 'a question that the client hosts as a task', 'a plain call'] as const

test.each(ways)('D2 D3 %s leaves no listener on any signal', async (way) => {
  const signals = new Set<AbortSignal>()
  const listen = AbortSignal.prototype.addEventListener
  const spy = vi.spyOn(AbortSignal.prototype, 'addEventListener').mockImplementation(function (
    this: AbortSignal,
    ...args: unknown[]
  ) {
    signals.add(this)
    Reflect.apply(listen, this, args)
  })
  onTestFinished(() => spy.mockRestore())
  const hosted = way === 'a question that the client hosts as a task'
  const store = new InMemoryTaskStore()
  onTestFinished(() => store.cleanup())
  const world = new World({ tools: [ask] })
  const tab = await world.tab({
    capabilities: { elicitation: { form: {} }, tasks: { cancel: {}, requests: { elicitation: { create: {} } } } },
    client: { taskStore: store }
  })
  tab.client.setRequestHandler(ElicitRequestSchema, async (_, { taskStore, taskRequestedTtl }) => {
    if (!hosted || taskStore === undefined) return decline
    const task = await taskStore.createTask({ ttl: taskRequestedTtl ?? null })
    await store.storeTaskResult(task.taskId, 'completed', decline)
    return { task }
  })

  const once = async (): Promise<void> => {
    const call = { name: 'ask', arguments: { hosted } }
    const result = way === 'a plain call' ? tab.client.callTool(call) : (await runTask(tab.client, call)).result()
    expect(await result).toMatchObject(text('decline'))
  }
  const listeners = (): number =>
    [...signals].reduce((all, signal) => all + (signal.aborted ? 0 : getEventListeners(signal, 'abort').length), 0)

  await once()
  await expect.poll(() => world.living().eventsOf('finished')).toHaveLength(1)
  const before = listeners()
  for (let i = 0; i < 10; i++) await once()
  await expect.poll(listeners).toBeLessThanOrEqual(before)
})

test('a modern tab that closes while it is told of a task is no error', async () => {
  const go = gate()
  const reports = toolOf('reports', async (_, task) => {
    await go.opened
    await task.status('half')
    return new Promise(() => undefined)
  })
  const world = new World({ tools: [reports] })
  const worker = world.worker()
  const tab = await modernTab(world)
  const { taskId } = await tab.call('reports')
  await tab.listen({ taskIds: [taskId] })
  await tab.pushed(taskId, 'working')
  const telling = gate()
  worker.onpoint(async (point) => {
    if (point !== 'send:notifications/tasks') return
    telling.open()
    await tab.raw.close()
  })
  go.open()
  await telling.opened
  await expect.poll(() => worker.eventsOf('closed')).toHaveLength(1)
  await (await rawTab(world)).quiet()
  expect(worker.eventsOf('error')).toEqual([])
})
