import { expect, describe, test, vi } from 'vitest'
import * as z from 'zod'
import { IntabError } from '../../src/worker.js'
import { rawTab, type RawTab } from '../support/raw-tab.js'
import { text, toolOf } from '../support/tools.js'
import { World, type WorldWorker } from '../support/world.js'

/** One tool of each kind; each notes that it ran. */
async function each(): Promise<{ raw: RawTab; worker: WorldWorker; ran: string[] }> {
  const ran: string[] = []
  const note = (name: string) => (): ReturnType<typeof text> => {
    ran.push(name)
    return text(name)
  }
  const typed = { inputSchema: z.object({ n: z.number() }) }
  const world = new World({
    tools: [
      toolOf('required', note('required'), { taskSupport: 'required' }),
      toolOf('optional', note('optional')),
      toolOf('typed', note('typed'), typed)
    ],
    setup: (server) => {
      server.registerTool('plain', {}, note('plain'))
      server.registerTool('typed-plain', typed, note('typed-plain'))
      server.registerTool('off', {}, note('off')).disable()
    }
  })
  const worker = world.worker()
  return { raw: await rawTab(world), worker, ran }
}

/** Nothing was created, queued, sent or run. */
async function nothingDone({ raw, worker, ran }: Awaited<ReturnType<typeof each>>): Promise<void> {
  await raw.quiet()
  expect(await raw.ok('tasks/list')).toMatchObject({ tasks: [] })
  expect(await raw.ok('intab/questions/list')).toMatchObject({ questions: [] })
  expect(worker.events.filter(({ type }) => type !== 'opened')).toEqual([])
  expect(raw.log.filter((message) => 'method' in message)).toEqual([])
  expect(ran).toEqual([])
}

describe('task support of a tool', () => {
  test('SV-07 is in tools/list: required and optional for task tools, forbidden for the others', async () => {
    const { raw } = await each()
    const { tools } = (await raw.ok('tools/list')) as {
      tools: { name: string; execution?: { taskSupport?: string } }[]
    }
    expect(Object.fromEntries(tools.map(({ name, execution }) => [name, execution?.taskSupport]))).toEqual({
      required: 'required',
      optional: 'optional',
      typed: 'optional',
      plain: 'forbidden',
      'typed-plain': 'forbidden'
    })
  })

  test('4.8 #1 #2 #8 is what the host declares; a tool that forbids tasks is no task tool', async () => {
    const { raw } = await each()
    const { tools } = (await raw.ok('tools/list')) as {
      tools: { name: string; execution?: { taskSupport?: string } }[]
    }
    const of = (wanted: string) => tools.find(({ name }) => name === wanted)?.execution
    expect(of('required')).toEqual({ taskSupport: 'required' })
    expect(of('optional')).toEqual({ taskSupport: 'optional' })
    expect(() => toolOf('x', () => text(''), { taskSupport: 'forbidden' as 'required' })).toThrow(
      expect.objectContaining({ code: 'invalid_options' })
    )
  })

  test('SP-013 SP-015 RC-06 RC-13 RC-17 required and optional tools run as tasks', async () => {
    const { raw, ran } = await each()
    for (const name of ['required', 'optional']) {
      const { taskId, status } = await raw.create(name)
      expect(status).toBe('working')
      expect(await raw.result(taskId)).toMatchObject(text(name))
    }
    expect(ran).toEqual(['required', 'optional'])
  })

  test('4.8 #5 RC-18 a required tool called as a task answers with a working task', async () => {
    const { raw } = await each()
    expect(await raw.create('required')).toMatchObject({ status: 'working', taskId: expect.any(String) })
  })

  test('SP-012 RC-14 RC-20 RC-09 4.8 #4 optional tools and plain ones answer a plain call', async () => {
    const { raw, ran } = await each()
    expect(await raw.ok('tools/call', { name: 'optional' })).toEqual(text('optional'))
    expect(await raw.ok('tools/call', { name: 'plain' })).toEqual(text('plain'))
    expect(ran).toEqual(['optional', 'plain'])
  })

  test('RC-21 RC-22 SV-09 RC-01 RC-02 whether a call is a task is said by `task`, not by the client', async () => {
    const { raw } = await each()
    expect(await raw.ok('tools/call', { name: 'plain' })).not.toHaveProperty('task')
    expect(await raw.ok('tools/call', { name: 'typed-plain', arguments: { n: 1 } })).not.toHaveProperty('task')
    expect(await raw.ok('tools/call', { name: 'optional' })).not.toHaveProperty('task')
    expect(await raw.ok('tools/call', { name: 'optional', task: {} })).toHaveProperty('task')
  })

  test('SP-014 RC-07 RC-08 RC-15 RC-19 E11 F9 a plain call of a required tool is -32601, and nothing is done', async () => {
    const given = await each()
    expect(await given.raw.fail('tools/call', { name: 'required', arguments: {} })).toEqual({
      code: -32601,
      message:
        "Tool required requires task augmentation (taskSupport: 'required'): call it with runTask() or agentTools(), or define it with taskSupport: 'optional'"
    })
    await nothingDone(given)
  })

  test('SP-010 SP-011 RC-10 RC-11 RC-16 E10 E11 F9 a task of a tool without support is -32601, and nothing is done', async () => {
    const given = await each()
    expect(await given.raw.fail('tools/call', { name: 'plain', task: {} })).toEqual({
      code: -32601,
      message: 'Tool plain does not support task augmentation: call it without `task`, as client.callTool() does'
    })
    await nothingDone(given)
  })

  test('RC-12 N16 both refusals are errors of JSON-RPC, not tool results, and come before the arguments are looked at', async () => {
    const given = await each()
    for (const params of [
      { name: 'required', arguments: {} },
      { name: 'typed-plain', task: {}, arguments: { n: 'x' } }
    ]) {
      const { response } = given.raw.ask('tools/call', params)
      expect(await response).toMatchObject({ error: { code: -32601 } })
    }
    await nothingDone(given)
  })

  test('E9 an unknown tool is -32602 with `task`, and what the SDK answers without', async () => {
    const given = await each()
    for (const name of ['nothing', 'off']) {
      expect(await given.raw.fail('tools/call', { name, task: {} })).toEqual({
        code: -32602,
        message: `Tool ${name} not found`
      })
    }
    expect(await given.raw.ok('tools/call', { name: 'nothing' })).toEqual({
      isError: true,
      ...text('MCP error -32602: Tool nothing not found')
    })
    await nothingDone(given)
  })

  test('E9 bad arguments are -32602 with `task`, and without it word for word what the SDK answers', async () => {
    const given = await each()
    const says = (name: string): string =>
      `Input validation error: Invalid arguments for tool ${name}: Invalid input: expected number, received string at n`
    expect(await given.raw.fail('tools/call', { name: 'typed', task: {}, arguments: { n: 'x' } })).toEqual({
      code: -32602,
      message: says('typed')
    })
    for (const name of ['typed', 'typed-plain']) {
      expect(await given.raw.ok('tools/call', { name, arguments: { n: 'x' } })).toEqual({
        isError: true,
        ...text(`MCP error -32602: ${says(name)}`)
      })
    }
    await nothingDone(given)
  })

  test('a plain call whose answer may be lost is refused when it is repeated, since the tool may have run', async () => {
    const given = await each()
    const params = { name: 'plain', _meta: { 'intab/retry': true } }
    expect(await given.raw.fail('tools/call', params)).toMatchObject({ code: -31030, data: { code: 'may_have_run' } })
    await nothingDone(given)
  })

  test('the repeated call is refused at once: no tab can lend a tool of that name, so none is waited for', async () => {
    const given = await each()
    // The wait for a tab would never end.
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    try {
      const params = { name: 'plain', _meta: { 'intab/key': 'k', 'intab/retry': true } }
      expect(await given.raw.fail('tools/call', params)).toMatchObject({ code: -31030, data: { code: 'may_have_run' } })
    } finally {
      vi.useRealTimers()
    }
    await nothingDone(given)
  })
})

test('SP-082 a fault of the server is -32603, says nothing of the insides that the client could not use, and nothing is done', async () => {
  const given = await each()
  const { raw, worker } = given
  for (const error of [new Error('The disk is on fire'), new IntabError('storage_busy', 'Try again')]) {
    const stop = worker.onpoint((point) => (point === 'before:create' ? Promise.reject(error) : undefined))
    const answer = { code: -32603, message: error.message }
    expect(await raw.fail('tools/call', { name: 'optional', task: {} })).toMatchObject(answer)
    expect(await raw.fail('tools/call', { name: 'optional' })).toMatchObject(answer)
    stop()
  }
  await nothingDone(given)
})

test('SP-016 E11 F9 a `task` on a request that cannot become one is ignored', async () => {
  const world = new World({
    tools: [toolOf('optional', () => text('x'))],
    setup: (server) => {
      server.registerPrompt('greet', {}, () => ({
        messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }]
      }))
    }
  })
  const raw = await rawTab(world)
  expect(await raw.ok('prompts/get', { name: 'greet', task: { ttl: 5 } })).toEqual({
    messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }]
  })
  expect(await raw.ok('ping', { task: {} })).toEqual({})
})
