import { ElicitationCompleteNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, test } from 'vitest'
import { runTask } from '../../src/index.js'
import { forms, rawTab } from '../support/raw-tab.js'
import { gate, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

const RELATED_TASK = 'io.modelcontextprotocol/related-task'
type Context = Parameters<Parameters<typeof toolOf>[1]>[1]

describe('what a handler holds', () => {
  test('CX-01 SC-01 CX-07 CX-09 is its task, by the id that the client was given, in its first run, not aborted', async () => {
    const seen = gate<{ id: string; attempt: number; aborted: boolean; meta: unknown }>()
    const tool = toolOf('look', ({ a }, { id, attempt, signal, meta }) => {
      seen.open({ id, attempt, aborted: signal.aborted, meta })
      return text(String(a))
    })
    const raw = await rawTab(new World({ tools: [tool] }))
    const { taskId } = await raw.create('look', { a: 1 })
    expect(await seen.opened).toEqual({ id: taskId, attempt: 1, aborted: false, meta: {} })
    expect(await raw.result(taskId)).toMatchObject(text('1'))
    const { createdAt } = await raw.get(taskId)
    expect(Math.abs(Date.parse(createdAt) - Date.now())).toBeLessThan(60_000)
  })

  test('RT-09 is the same for a plain call of an optional tool: there is always a task', async () => {
    const seen = gate<string>()
    const tool = toolOf('look', (_, { id }) => {
      seen.open(id)
      return text('x')
    })
    const raw = await rawTab(new World({ tools: [tool] }))
    await raw.ok('tools/call', { name: 'look' })
    expect(await raw.get(await seen.opened)).toMatchObject({ status: 'completed' })
  })

  test('status: its last message stays with the task when it completes', async () => {
    const tool = toolOf('talk', async (_, task) => {
      await Promise.all([task.status('one'), task.status('two'), task.status('three')])
      return text('done')
    })
    const raw = await rawTab(new World({ tools: [tool] }))
    const { taskId } = await raw.create('talk')
    await raw.result(taskId)
    expect(await raw.get(taskId)).toMatchObject({ status: 'completed', statusMessage: 'three' })
  })

  test('RH-13 notify: reaches whoever waits, without an id, in order, each once, and names the task', async () => {
    const tool = toolOf('news', async (_, task) => {
      for (const n of [1, 2, 3]) await task.notify({ method: 'example/news', params: { n, _meta: { own: true } } })
      return text('done')
    })
    const world = new World({ tools: [tool] })
    const [raw, other] = [await rawTab(world), await rawTab(world)]
    const { taskId } = await raw.create('news')
    await Promise.all([raw.result(taskId), raw.result(taskId), other.result(taskId)])
    for (const tab of [raw, other]) {
      const news = tab.heard('example/news')
      expect(news.map(({ params }) => params.n)).toEqual([1, 2, 3])
      expect(news.every((heard) => !('id' in heard))).toBe(true)
      expect(news[0]?.params._meta).toEqual({ own: true, 'intab/message': 1, [RELATED_TASK]: { taskId } })
    }
  })

  test('elicitUrl: the client is told by notifications/elicitation/complete when the matter is settled there', async () => {
    const settled = gate()
    const tool = toolOf('sign-in', async (_, task) => {
      const { action } = await task.elicitUrl({ message: 'Sign in', url: 'https://example.com', elicitationId: 'e-1' })
      await settled.opened
      await task.notify({ method: 'notifications/elicitation/complete', params: { elicitationId: 'e-1' } })
      return text(action)
    })
    const world = new World({ tools: [tool] })
    const tab = await world.tab({ onelicit: () => ({ action: 'accept' }) })
    const completed: string[] = []
    tab.client.setNotificationHandler(ElicitationCompleteNotificationSchema, ({ params }) => {
      completed.push(params.elicitationId)
    })
    const run = await runTask(tab.client, { name: 'sign-in' })
    const result = run.result()
    await expect.poll(() => run.task.status).toBe('working')
    settled.open()
    expect(await result).toMatchObject(text('accept'))
    expect(completed).toEqual(['e-1'])
  })

  const late: [string, (task: Context) => Promise<unknown>][] = [
    ['elicit', (task) => task.elicit({ message: '?', requestedSchema: { type: 'object', properties: {} } })],
    ['createMessage', (task) => task.createMessage({ messages: [], maxTokens: 1 })],
    ['sleep', (task) => task.sleep(1)],
    ['step', (task) => task.step('x', () => 1)]
  ]
  test.each(late)(
    '%s: rejects with the reason of the signal once the task is over, and does nothing',
    async (_, act) => {
      const came = gate<unknown>()
      const tool = toolOf('late', async (_, task) => {
        await new Promise((resolve) => task.signal.addEventListener('abort', resolve))
        await act(task).then(came.open, came.open)
        return text('late')
      })
      const raw = await rawTab(new World({ tools: [tool] }), { capabilities: { ...forms, sampling: {} } })
      const { taskId } = await raw.create('late')
      await raw.ok('tasks/cancel', { taskId })
      expect(await came.opened).toMatchObject({ code: 'aborted', message: 'Task was cancelled' })
      expect(await raw.ok('intab/questions/list')).toEqual({ questions: [] })
    }
  )

  test('a result that JSON cannot carry fails its own task with the path to what is wrong', async () => {
    const structuredContent = { list: [new Date(0)] }
    const raw = await rawTab(new World({ tools: [toolOf('odd', () => ({ content: [], structuredContent }) as never)] }))
    const { taskId } = await raw.create('odd')
    expect(await raw.result(taskId)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('structuredContent.list[0] is a Date') }]
    })
  })
})

test('SV-11 a task is found, an unknown one is not; one that completed has its result, one that is cancelled says so', async () => {
  const raw = await rawTab(
    new World({ tools: [toolOf('quick', () => text('done')), toolOf('forever', () => new Promise(() => undefined))] })
  )
  const [quick, forever] = [await raw.create('quick'), await raw.create('forever')]
  expect(await raw.result(quick.taskId)).toEqual({
    ...text('done'),
    _meta: { [RELATED_TASK]: { taskId: quick.taskId } }
  })
  expect(await raw.fail('tasks/get', { taskId: 'x' })).toMatchObject({ code: -32602 })
  expect(await raw.ok('tasks/cancel', { taskId: forever.taskId })).toMatchObject({ status: 'cancelled' })
})
