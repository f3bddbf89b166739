import { describe, expect, test } from 'vitest'
import { forms, rawTab, type Wire, type WireError } from '../support/raw-tab.js'
import { text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

const form = {
  message: 'How many?',
  requestedSchema: { type: 'object' as const, properties: { n: { type: 'integer' as const } }, required: ['n'] }
}
const capabilities = { ...forms, sampling: {} }

/** Asks, and returns as JSON what came of it. */
const ask = toolOf('ask', async ({ model }, task) => {
  const asked: Promise<unknown> = model ? task.createMessage({ messages: [], maxTokens: 1 }) : task.elicit(form)
  const came = await asked.then(
    (answer) => ({ answer }),
    ({ code, message, data }: WireError) => ({ code, message, data })
  )
  return text(JSON.stringify(came))
})

async function askAndAnswer(reply: { result: Wire } | { error: WireError }, args: Wire = {}): Promise<unknown> {
  const raw = await rawTab(new World({ tools: [ask] }), { capabilities })
  const { taskId } = await raw.create('ask', args)
  const result = raw.result(taskId)
  await raw.answer(await raw.next(args.model ? 'sampling/createMessage' : 'elicitation/create'), reply)
  const { content } = (await result) as { content: { text: string }[] }
  return JSON.parse(content[0]?.text ?? '')
}

describe('an answer', () => {
  test('RH-07 settles the call of the tool with its content', async () => {
    const accepted = { action: 'accept', content: { n: 3 } }
    expect(await askAndAnswer({ result: accepted })).toEqual({ answer: accepted })
  })

  test('RH-10 that is an error rejects the call with its code, message and data', async () => {
    const error = { code: -32042, message: 'Not now', data: { later: true } }
    expect(await askAndAnswer({ error })).toEqual(error)
  })

  const wrong: [string, Wire, RegExp][] = [
    ['has no action', {}, /elicitation result is malformed/],
    ['has an unknown action', { action: 'maybe' }, /elicitation result is malformed/],
    ['lacks what the schema requires', { action: 'accept', content: {} }, /n is required/],
    ['accepts without content', { action: 'accept' }, /n is required/],
    ['has another type than the schema', { action: 'accept', content: { n: 'three' } }, /n must be of type integer/]
  ]
  test.each(wrong)(
    'that %s is asked again, with the reason; the sixth rejects the call with -32602',
    async (_, result, says) => {
      const raw = await rawTab(new World({ tools: [ask] }), { capabilities })
      const { taskId } = await raw.create('ask')
      const came = raw.result(taskId)
      const first = await raw.next('elicitation/create')
      let asked = first
      for (let count = 1; count <= 5; count += 1) {
        await raw.answer(asked, { result })
        asked = await raw.next('elicitation/create')
        expect(asked.id).toBe(first.id)
        expect(asked.params['message']).toMatch(/^How many\? \(Your answer was not taken: /)
        expect(asked.params._meta).toMatchObject({
          'intab/refused': { reason: expect.stringMatching(says), message: 'How many?', answer: result, count }
        })
      }
      expect(await raw.get(taskId)).toMatchObject({ status: 'input_required' })
      await raw.answer(asked, { result })
      const { content } = (await came) as { content: { text: string }[] }
      expect(JSON.parse(content[0]?.text ?? '')).toMatchObject({ code: -32602, message: expect.stringMatching(says) })
    }
  )

  test('that was refused can be mended', async () => {
    const raw = await rawTab(new World({ tools: [ask] }), { capabilities })
    const { taskId } = await raw.create('ask')
    const came = raw.result(taskId)
    await raw.answer(await raw.next('elicitation/create'), { result: { action: 'accept', content: { n: 'x' } } })
    const again = await raw.next('elicitation/create')
    await raw.answer(again, { result: { action: 'accept', content: { n: 3 } } })
    expect((await came)['content']).toMatchObject([{ text: expect.stringContaining('"n":3') }])
  })

  test('that was refused is in the form of the next tab when its own is gone', async () => {
    const world = new World({ tools: [ask] })
    const gone = await rawTab(world, { capabilities })
    const { taskId } = await gone.create('ask')
    gone.result(taskId).catch(() => undefined)
    await gone.answer(await gone.next('elicitation/create'), { result: { action: 'accept', content: { n: 'x' } } })
    await gone.next('elicitation/create')
    const tab = await rawTab(world, { capabilities })
    const came = tab.result(taskId)
    await gone.close()
    const asked = await tab.next('elicitation/create')
    expect(asked.params._meta).toMatchObject({ 'intab/refused': { answer: { content: { n: 'x' } }, count: 1 } })
    await tab.answer(asked, { result: { action: 'accept', content: { n: 3 } } })
    expect((await came)['content']).toMatchObject([{ text: expect.stringContaining('"n":3') }])
  })

  test('is not asked for when no text could match the pattern of its form', async () => {
    const broken = toolOf('broken', async (_, task) => {
      const properties = { code: { type: 'string' as const, pattern: '^[a-z' } }
      const asked = task.elicit({ message: '?', requestedSchema: { type: 'object', properties } })
      return text(await asked.then(String, ({ code, message }: WireError) => `${code}: ${message}`))
    })
    const raw = await rawTab(new World({ tools: [broken] }), { capabilities })
    const { taskId } = await raw.create('broken')
    expect((await raw.result(taskId))['content']).toMatchObject([
      {
        text:
          'invalid_options: elicit: the pattern ^[a-z at requestedSchema.properties.code.pattern ' +
          'is invalid with the flag u, with which JSON Schema is read'
      }
    ])
    expect(raw.heard('elicitation/create')).toEqual([])
  })

  test('that cannot be kept is asked again, too', async () => {
    const raw = await rawTab(new World({ tools: [ask], limits: { bytes: 500 } }), { capabilities })
    const { taskId } = await raw.create('ask')
    const came = raw.result(taskId)
    const large = { action: 'accept', content: { n: 1, note: 'x'.repeat(1_000) } }
    await raw.answer(await raw.next('elicitation/create'), { result: large })
    const again = await raw.next('elicitation/create')
    expect(again.params['message']).toContain('larger than 500 bytes')
    await raw.answer(again, { result: { action: 'accept', content: { n: 3 } } })
    expect((await came)['content']).toMatchObject([{ text: expect.stringContaining('"n":3') }])
  })

  test('that is no message of a model rejects the call with -32602', async () => {
    const result = { role: 'assistant', content: { type: 'text', text: 'no model' } }
    expect(await askAndAnswer({ result }, { model: true })).toMatchObject({
      code: -32602,
      message: expect.stringContaining('sampling result is malformed')
    })
  })

  test('that is no proper error is one all the same', async () => {
    const error = { code: 'E', message: 7 } as unknown as WireError
    expect(await askAndAnswer({ error })).toMatchObject({ code: -32602, message: 'The client sent a malformed error' })
  })

  test('to a form whose schema nobody can read tells the tool, and the tab is done with it', async () => {
    const broken = toolOf('broken', async (_, task) => {
      const requestedSchema = { type: 'object' as const, properties: {}, $ref: '#/nowhere' }
      return text(await task.elicit({ message: '?', requestedSchema }).then(String, String))
    })
    const raw = await rawTab(new World({ tools: [broken] }), { capabilities })
    const { taskId } = await raw.create('broken')
    const result = raw.result(taskId)
    await raw.answer(await raw.next('elicitation/create'), { result: { action: 'accept', content: {} } })
    expect(JSON.stringify(await result)).toContain('the schema cannot be read')
  })

  test('RH-09 N18 that comes second is ignored, from the same tab and from another', async () => {
    const world = new World({ tools: [ask] })
    const [a, b] = [await rawTab(world, { capabilities }), await rawTab(world, { capabilities })]
    const { taskId } = await a.create('ask')
    const result = a.result(taskId)
    const question = await a.next('elicitation/create')
    await a.answer(question, { result: { action: 'accept', content: { n: 1 } } })
    await a.answer(question, { result: { action: 'accept', content: { n: 2 } } })
    await b.answer(question, { result: { action: 'accept', content: { n: 3 } } })
    expect(JSON.stringify(await result)).toContain(String.raw`\"n\":1`)
  })

  test('RH-08 RH-11 SV-16 SV-17 to a request that nobody made is nothing to the tasks, nor to the server', async () => {
    const world = new World({ tools: [ask] })
    const worker = world.worker()
    const raw = await rawTab(world, { capabilities })
    const { taskId } = await raw.create('ask')
    const result = raw.result(taskId)
    const question = await raw.next('elicitation/create')
    for (const id of [`task:${taskId}:${crypto.randomUUID()}`, 'task::', 's:another:0', '0', 0]) {
      await raw.answer({ ...question, id }, { result: { action: 'accept', content: { n: 9 } } })
      await raw.answer({ ...question, id }, { error: { code: 1, message: 'no' } })
    }
    expect((await raw.get(taskId)).status).toBe('input_required')
    await raw.answer(question, { result: { action: 'decline' } })
    expect(JSON.stringify(await result)).toContain('decline')
    expect(worker.eventsOf('error')).toEqual([])
  })

  test.each([
    ['is too large', 'x'.repeat(5000), { code: -31029, data: { code: 'too_large', limit: 2000 } }],
    ['is no JSON', new Date(0), { code: -32602, data: { code: 'not_json', path: 'result.note' } }]
  ])('that %s comes to the tool as an error, and is not sent again and again', async (_, note, error) => {
    const raw = await rawTab(new World({ tools: [ask], limits: { bytes: 2000 } }), { capabilities })
    const { taskId } = await raw.create('ask', { model: true })
    const result = raw.result(taskId)
    const reply = { role: 'assistant', model: 'm', content: { type: 'text', text: 'a' } }
    await raw.answer(await raw.next('sampling/createMessage'), { result: { ...reply, note } })
    const { content } = (await result) as { content: [{ text: string }] }
    expect(JSON.parse(content[0].text)).toMatchObject(error)
  })

  test("SV-18 SV-19 EL-01 to a request of a plain tool goes to the SDK's server, beside those of tasks", async () => {
    const world = new World({
      tools: [ask],
      setup: (server) => {
        server.registerTool('plain', {}, async () => {
          const answers = [server.server.elicitInput(form), server.server.elicitInput(form)]
          const came = await Promise.allSettled(answers)
          return text(
            came.map((one) => (one.status === 'fulfilled' ? one.value.action : one.reason.message)).join('; ')
          )
        })
      }
    })
    const raw = await rawTab(world, { capabilities })
    const called = raw.ok('tools/call', { name: 'plain' })
    const [first, second] = [await raw.next('elicitation/create'), await raw.next('elicitation/create')]
    expect([first.id, second.id]).toEqual([expect.stringMatching(/^s:[0-9a-f-]{36}:0$/), expect.stringMatching(/:1$/)])
    await raw.answer(first, { result: { action: 'decline' } })
    await raw.answer(second, { error: { code: -1, message: 'rejected' } })
    expect(await called).toEqual(text('decline; MCP error -1: rejected'))
  })
})

test('U6 a client that declares what it does not handle is told from a server that lacks a method', async () => {
  const came = await askAndAnswer({ error: { code: -32601, message: 'Method not found' } })
  expect(came).toMatchObject({
    code: -32601,
    message: expect.stringContaining(
      'has no handler for it (it answered: Method not found): call client.setRequestHandler('
    ),
    data: { code: 'no_handler', method: 'elicitation/create' }
  })
})
