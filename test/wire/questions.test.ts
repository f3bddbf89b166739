import { describe, expect, test } from 'vitest'
import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js'
import { confirmDelete } from '../support/confirm-delete.js'
import { forms, rawTab } from '../support/raw-tab.js'
import { gate, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

const RELATED_TASK = 'io.modelcontextprotocol/related-task'
const form = {
  message: 'Delete?',
  requestedSchema: { type: 'object' as const, properties: { sure: { type: 'boolean' as const } }, required: ['sure'] }
}
const all: ClientCapabilities = { elicitation: { form: {}, url: {} }, sampling: { tools: {} } }

/** A tool that asks, and returns as JSON what came of it. */
const asker = (ask: Parameters<typeof toolOf>[1] | ((args: never, task: never) => Promise<unknown>)) =>
  toolOf('ask', async (args, task) => {
    const came = await (ask as (a: unknown, t: unknown) => Promise<unknown>)(args, task).then(
      (answer) => ({ answer }),
      ({ code, message, data }: { code: unknown; message: string; data: unknown }) => ({ code, message, data })
    )
    return text(JSON.stringify(came))
  })
const cameOf = (result: unknown): unknown =>
  JSON.parse((result as { content: { text: string }[] }).content[0]?.text ?? '')

type Context = Parameters<Parameters<typeof toolOf>[1]>[1]
const elicits = asker((_: never, task: Context) => task.elicit(form))

describe('a question of a task', () => {
  test('SP-030 SP-068 SV-12 RH-12 a form has its message, mode and schema, and names its task; its id too', async () => {
    const raw = await rawTab(new World({ tools: [elicits] }), { capabilities: all })
    const { taskId } = await raw.create('ask')
    const result = raw.result(taskId)
    const question = await raw.next('elicitation/create')
    expect(question.params).toEqual({ ...form, mode: 'form', _meta: { [RELATED_TASK]: { taskId } } })
    expect(question.id).toEqual(expect.stringMatching(new RegExp(`^task:${taskId}:[0-9a-f-]{36}$`)))
    const { questions } = await raw.ok('intab/questions/list')
    expect(questions).toMatchObject([{ requestId: question.id, taskId, here: true, shown: true }])
    await raw.answer(question, { result: { action: 'accept', content: { sure: true } } })
    expect(cameOf(await result)).toEqual({ answer: { action: 'accept', content: { sure: true } } })
  })

  test('SV-13 SC-13 a URL has its address and id, and is answered by an action alone', async () => {
    const url = asker((_: never, task: Context) =>
      task.elicitUrl({ message: 'Sign in', url: 'https://example.com/in' })
    )
    const raw = await rawTab(new World({ tools: [url] }), { capabilities: all })
    const { taskId } = await raw.create('ask')
    const result = raw.result(taskId)
    const question = await raw.next('elicitation/create')
    expect(question.params).toEqual({
      mode: 'url',
      message: 'Sign in',
      url: 'https://example.com/in',
      elicitationId: expect.stringContaining(taskId),
      _meta: { [RELATED_TASK]: { taskId } }
    })
    expect((await raw.get(taskId)).status).toBe('input_required')
    await raw.answer(question, { result: { action: 'accept' } })
    expect(cameOf(await result)).toEqual({ answer: { action: 'accept' } })
  })

  test('SV-14 SC-14 to the model has its messages and limit, and is answered by a message', async () => {
    const params = {
      messages: [{ role: 'user' as const, content: { type: 'text' as const, text: 'Hi' } }],
      maxTokens: 9
    }
    const sample = asker((_: never, task: Context) => task.createMessage(params))
    const raw = await rawTab(new World({ tools: [sample] }), { capabilities: all })
    const { taskId } = await raw.create('ask')
    const result = raw.result(taskId)
    const question = await raw.next('sampling/createMessage')
    expect(question.params).toEqual({ ...params, _meta: { [RELATED_TASK]: { taskId } } })
    expect((await raw.get(taskId)).status).toBe('input_required')
    const answer = { role: 'assistant', model: 'm', content: { type: 'text', text: 'Hello' } }
    await raw.answer(question, { result: answer })
    expect(cameOf(await result)).toEqual({ answer })
  })

  test('to the model with tools may be answered by calls of them', async () => {
    const tools = [{ name: 'clock', inputSchema: { type: 'object' as const } }]
    const sample = asker((_: never, task: Context) => task.createMessage({ messages: [], maxTokens: 9, tools }))
    const raw = await rawTab(new World({ tools: [sample] }), { capabilities: all })
    const { taskId } = await raw.create('ask')
    const result = raw.result(taskId)
    const question = await raw.next('sampling/createMessage')
    expect(question.params.tools).toEqual(tools)
    const content = [{ type: 'tool_use', id: '1', name: 'clock', input: {} }]
    const answer = { role: 'assistant', model: 'm', stopReason: 'toolUse', content }
    await raw.answer(question, { result: answer })
    expect(cameOf(await result)).toEqual({ answer })
  })

  const missing: [string, ClientCapabilities, string[], (task: Context) => Promise<unknown>][] = [
    ['SC-07 CP-23 a form', { sampling: {} }, ['elicitation.form'], (task) => task.elicit(form)],
    ['SC-08 CP-26 the model', forms, ['sampling'], (task) => task.createMessage({ messages: [], maxTokens: 1 })],
    [
      'N24 a URL, for a client of forms only',
      forms,
      ['elicitation.url'],
      (task) => task.elicitUrl({ message: '', url: 'https://x.example' })
    ],
    [
      'a form, for a client of URLs only',
      { elicitation: { url: {} } },
      ['elicitation.form'],
      (task) => task.elicit(form)
    ],
    [
      'tools of the model',
      { sampling: {} },
      ['sampling.tools'],
      (task) => task.createMessage({ messages: [], maxTokens: 1, tools: [] })
    ],
    [
      'a form as a task',
      { ...forms, tasks: { requests: {} } },
      ['tasks.elicitation'],
      (task) => task.elicit(form, { task: {} })
    ]
  ]
  test.each(missing)(
    '%s that the client did not declare rejects before anything is queued',
    async (_, capabilities, lacks, ask) => {
      const raw = await rawTab(
        new World({ tools: [asker((_: never, task: Context) => ask(task)), elicits].slice(0, 1) }),
        {
          capabilities
        }
      )
      const { taskId } = await raw.create('ask')
      expect(cameOf(await raw.result(taskId))).toMatchObject({ code: 'missing_capability', data: { missing: lacks } })
      await raw.quiet()
      const told = raw.heard('notifications/tasks/status').map(({ params }) => params.status)
      expect(told).not.toContain('input_required')
      expect(raw.log.filter((message) => 'method' in message && 'id' in message)).toEqual([])
    }
  )

  test('CP-22 CP-25 to a client that has not introduced itself rejects as well', async () => {
    const both = asker(async (_: never, task: Context) => {
      const asked = [task.elicit(form), task.createMessage({ messages: [], maxTokens: 1 })]
      return (await Promise.allSettled(asked)).map((came) => came.status === 'rejected' && String(came.reason.code))
    })
    const raw = await rawTab(new World({ tools: [both] }), { initialize: false })
    const { taskId } = await raw.create('ask')
    expect(cameOf(await raw.result(taskId))).toEqual({ answer: ['missing_capability', 'missing_capability'] })
  })

  test('F9 an uncaught refusal ends the task as failed, with words that say what to declare', async () => {
    const tool = toolOf('ask', async (_, task) => text((await task.elicit(form)).action))
    const raw = await rawTab(new World({ tools: [tool] }))
    const { taskId } = await raw.create('ask')
    expect(await raw.result(taskId)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('The client does not support elicitation.form') }]
    })
  })

  test('dropped by its tool is an unhandled rejection of nobody', async () => {
    const tool = toolOf('careless', async (_, task) => {
      const dropped = [task.elicit(form), task.notify({ method: 'x', params: { bad: 1n as never } }), task.sleep(1e6)]
      expect(dropped).toHaveLength(3)
      return text('done')
    })
    const raw = await rawTab(new World({ tools: [tool] }))
    const { taskId } = await raw.create('careless')
    expect(await raw.result(taskId)).toMatchObject(text('done'))
    await raw.quiet()
  })

  test('N10 a thousand at once have a thousand ids, and each gets its own answer', async () => {
    const many = asker(async (_: never, task: Context) => {
      const asked = Array.from({ length: 1000 }, (_, i) =>
        task.elicit({ message: String(i), requestedSchema: { type: 'object', properties: { n: { type: 'string' } } } })
      )
      const answers = await Promise.all(asked)
      return answers.filter(({ content }, i) => content?.n === String(i)).length
    })
    const raw = await rawTab(new World({ tools: [many] }), { capabilities: all })
    const { taskId } = await raw.create('ask')
    const result = raw.result(taskId)
    const questions = []
    for (let i = 0; i < 1000; i++) questions.push(await raw.next('elicitation/create'))
    expect(new Set(questions.map(({ id }) => id)).size).toBe(1000)
    await Promise.all(
      questions.map((question) =>
        raw.answer(question, { result: { action: 'accept', content: { n: String(question.params?.message) } } })
      )
    )
    expect(cameOf(await result)).toEqual({ answer: 1000 })
  })

  test('keeps its place on the screen when the one who waited cancels the wait, and is answered all the same', async () => {
    const asked = gate()
    const raw = await rawTab(new World({ tools: [elicits] }), { capabilities: all })
    const { taskId } = await raw.create('ask')
    const { id } = raw.ask('tasks/result', { taskId })
    const question = await raw.next('elicitation/create')
    asked.open()
    await raw.notify('notifications/cancelled', { requestId: id })
    await raw.quiet()
    expect(raw.heard('notifications/cancelled')).toEqual([])
    await raw.answer(question, { result: { action: 'cancel' } })
    expect(cameOf(await raw.result(taskId))).toEqual({ answer: { action: 'cancel' } })
  })

  test('R15 taken by the connection that shows it already, is withdrawn and asked again under its id', async () => {
    const raw = await rawTab(new World({ tools: [confirmDelete] }), { capabilities: forms })
    const { taskId } = await raw.create('confirm_delete', { filename: 'a' })
    raw.ask('tasks/result', { taskId })
    const { id } = await raw.next('elicitation/create')
    await raw.ok('intab/questions/take', { requestId: id })
    await expect
      .poll(() => raw.log.filter((message) => 'id' in message && message.id === id && 'method' in message).length)
      .toBe(2)
    expect(raw.heard('notifications/cancelled')).toMatchObject([{ params: { requestId: id } }])
  })
})
