import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { RpcError } from '../../src/worker.js'
import { forms, rawTab, type WireTask } from '../support/raw-tab.js'
import { gate, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

const form = { message: '?', requestedSchema: { type: 'object' as const, properties: {} } }
const asks = toolOf('asks', async (_, task) => text((await task.elicit(form)).action))

describe('a plain call of an optional tool', () => {
  test('is answered with the outcome alone, while a task runs that tasks/list shows', async () => {
    const raw = await rawTab(new World({ tools: [toolOf('quick', () => ({ ...text('done'), _meta: { x: 1 } }))] }))
    expect(await raw.ok('tools/call', { name: 'quick' })).toEqual({ ...text('done'), _meta: { x: 1 } })
    expect(await raw.ok('tasks/list')).toMatchObject({ tasks: [{ status: 'completed' }] })
  })

  test('EL-01 B5 F10 delivers its question, which names the task, and answers when that is answered', async () => {
    const raw = await rawTab(new World({ tools: [asks] }), { capabilities: forms })
    const called = raw.ok('tools/call', { name: 'asks' })
    const question = await raw.next('elicitation/create')
    const { tasks } = (await raw.ok('tasks/list')) as { tasks: WireTask[] }
    expect(question.params._meta).toEqual({ 'io.modelcontextprotocol/related-task': { taskId: tasks[0]?.taskId } })
    await raw.answer(question, { result: { action: 'decline' } })
    expect(await called).toEqual(text('decline'))
  })

  test('4.8 #6 is answered with the `isError` result of a tool that failed, and with the error of one that threw it', async () => {
    const tools = [
      toolOf('fails', () => ({ ...text('no'), isError: true })),
      toolOf('breaks', () => Promise.reject(new Error('broke'))),
      toolOf('throws', () => Promise.reject(new RpcError(-32042, 'Go there', { url: 'https://x.example' })))
    ]
    const raw = await rawTab(new World({ tools }))
    expect(await raw.ok('tools/call', { name: 'fails' })).toEqual({ ...text('no'), isError: true })
    expect(await raw.ok('tools/call', { name: 'breaks' })).toEqual({ ...text('broke'), isError: true })
    expect(await raw.fail('tools/call', { name: 'throws' })).toEqual({
      code: -32042,
      message: 'Go there',
      data: { url: 'https://x.example' }
    })
  })

  test('C5 F10 that its client cancels cancels the task, takes its question away, and gets no answer', async () => {
    const world = new World({ tools: [asks] })
    const worker = world.worker()
    const raw = await rawTab(world, { capabilities: forms })
    const { id } = raw.ask('tools/call', { name: 'asks' })
    const question = await raw.next('elicitation/create')
    await raw.notify('notifications/cancelled', { requestId: id })
    expect((await raw.next('notifications/cancelled')).params.requestId).toBe(question.id)
    expect(await raw.ok('tasks/list')).toMatchObject({ tasks: [{ status: 'cancelled' }] })
    expect(worker.eventsOf('finished')).toHaveLength(1)
    await raw.quiet()
    expect(raw.log.filter((message) => 'id' in message && message.id === id)).toEqual([])
  })

  test('is not cancelled by a request of the same id on another connection', async () => {
    const end = gate()
    const slow = toolOf('slow', async () => {
      await end.opened
      return text('done')
    })
    const world = new World({ tools: [slow] })
    const [raw, other] = [await rawTab(world), await rawTab(world)]
    const { id, response } = raw.ask('tools/call', { name: 'slow' })
    await raw.quiet()
    await other.notify('notifications/cancelled', { requestId: id })
    await other.quiet()
    end.open()
    expect(await response).toMatchObject({ result: text('done') })
  })

  test('N13 N12 of a tab that vanishes goes on, and another tab gets its question and its result', async () => {
    const world = new World({ tools: [asks] })
    const worker = world.worker()
    const [raw, other] = [await rawTab(world, { capabilities: forms }), await rawTab(world, { capabilities: forms })]
    raw.ask('tools/call', { name: 'asks' }).response.catch(() => undefined)
    const shown = await raw.next('elicitation/create')
    const { tasks } = (await other.ok('tasks/list')) as { tasks: [WireTask] }
    const [{ taskId }] = tasks
    raw.crash()
    const result = other.result(taskId)
    const question = await other.next('elicitation/create')
    expect(question.id).toBe(shown.id)
    await other.answer(question, { result: { action: 'accept', content: {} } })
    expect(await result).toMatchObject(text('accept'))
    expect(worker.eventsOf('error')).toEqual([])
  })

  test('delivers notifications of its task before its answer', async () => {
    const chatty = toolOf('chatty', async (_, task) => {
      await task.notify({ method: 'notifications/message', params: { level: 'info', data: 'hello' } })
      return text('done')
    })
    const raw = await rawTab(new World({ tools: [chatty] }))
    expect(await raw.ok('tools/call', { name: 'chatty' })).toEqual(text('done'))
    expect(raw.heard('notifications/message').map(({ params }) => params.data)).toEqual(['hello'])
  })
})

describe('the output schema of a tool', () => {
  const sum = (structuredContent: Record<string, unknown> | undefined, isError?: boolean) =>
    toolOf(
      'sum',
      () => ({ content: [], ...(structuredContent && { structuredContent }), ...(isError && { isError }) }),
      {
        outputSchema: { sum: z.number() }
      }
    )

  test('E15 is in tools/list, and a result that fits it passes, as a task and plainly', async () => {
    const raw = await rawTab(new World({ tools: [sum({ sum: 3 })] }))
    expect(await raw.ok('tools/list')).toMatchObject({
      tools: [{ outputSchema: { properties: { sum: { type: 'number' } } } }]
    })
    const { taskId } = await raw.create('sum')
    expect(await raw.result(taskId)).toMatchObject({ structuredContent: { sum: 3 } })
    expect(await raw.ok('tools/call', { name: 'sum' })).toMatchObject({ structuredContent: { sum: 3 } })
  })

  test.each([
    ['does not fit', { sum: 'three' }, /Invalid structured content for tool sum/],
    ['is missing', undefined, /no structured content was provided/]
  ])('fails the task when the content %s, as the SDK fails a plain tool', async (_, content, says) => {
    const raw = await rawTab(new World({ tools: [sum(content)] }))
    const { taskId } = await raw.create('sum')
    const failed = { isError: true, content: [{ type: 'text', text: expect.stringMatching(says) }] }
    expect(await raw.result(taskId)).toMatchObject(failed)
    expect(await raw.get(taskId)).toMatchObject({ status: 'failed', statusMessage: expect.stringMatching(says) })
    expect(await raw.ok('tools/call', { name: 'sum' })).toEqual(failed)
  })

  test('says nothing about an error', async () => {
    const raw = await rawTab(new World({ tools: [sum(undefined, true)] }))
    expect(await raw.ok('tools/call', { name: 'sum' })).toEqual({ content: [], isError: true })
  })
})

test.each([undefined, null, 'text', {}, { content: 'x' }, { content: [{ type: 'nonsense' }] }])(
  'a tool that returns %j, which is no tool result, fails with words for its author',
  async (value) => {
    const raw = await rawTab(new World({ tools: [toolOf('odd', () => value as never)] }))
    const { taskId } = await raw.create('odd')
    expect(await raw.result(taskId)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('Tool odd returned no tool result: return { content: [...] }') }]
    })
  }
)
