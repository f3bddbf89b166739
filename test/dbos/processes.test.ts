// What only several processes have: sessions that move, owners, two answers at once, a process that its own tool kills.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { agentTools, type ConnectedClient, followTask, listQuestions, runTask } from '../../src/index.js'
import { accept, connectClient, eras, leaveOpen } from '../scenarios/clients.js'
import { textOf } from '../scenarios/scenarios.js'
import { patience, type ServerProcess, twoProcesses } from './world.js'

const { one, two, start } = twoProcesses()
const clients: { close(): Promise<void> }[] = []

beforeEach(start, patience)
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
})

async function connect(to: ServerProcess, answer = leaveOpen, owner = 'alice'): Promise<ConnectedClient> {
  const client = await connectClient('2025-11-25', to.transport('2025-11-25', owner), answer)
  clients.push(client)
  return client
}

const begin = async (tool: string, name: string): Promise<string> =>
  (await runTask(await connect(one()), { name: tool, arguments: { name } })).taskId
const outcome = async (taskId: string): Promise<unknown> =>
  textOf(await (await followTask(await connect(two()), taskId)).result())

const post = (to: ServerProcess, message: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(to.url, {
    method: 'POST',
    headers: {
      Accept: 'application/json, text/event-stream',
      Authorization: 'Bearer alice',
      'Content-Type': 'application/json',
      ...headers
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message })
  })

/** Begins a session at the first process; resolves with the header that names it. */
async function session(): Promise<Record<string, string>> {
  const capabilities = { elicitation: { form: {} } }
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'raw', version: '1' } }
  const begun = await post(one(), { id: 'init', method: 'initialize', params })
  const named = { 'Mcp-Session-Id': begun.headers.get('mcp-session-id') ?? '' }
  await post(one(), { method: 'notifications/initialized' }, named)
  return named
}

/** The messages of a stream. */
async function* messagesOf({ body }: Response): AsyncGenerator<Record<string, unknown>> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true })
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const [, json] = /^data: (.*)$/m.exec(event) ?? []
      if (json !== undefined) yield JSON.parse(json)
    }
  }
}

async function heard(messages: ReturnType<typeof messagesOf>, fits: (message: Record<string, unknown>) => boolean) {
  for (;;) {
    const { value, done } = await messages.next()
    if (done) throw new Error('The stream has ended')
    if (fits(value)) return value
  }
}

it('answers a session at a process that has never seen it, and ends it in both', async () => {
  const named = await session()
  const listed = (await (await post(two(), { id: 2, method: 'tools/list' }, named)).json()) as {
    result: { tools: { name: string }[] }
  }
  expect(listed.result.tools.map(({ name }) => name)).toContain('ask')
  const foreign = await post(two(), { id: 3, method: 'tools/list' }, { ...named, Authorization: 'Bearer bob' })
  expect(foreign.status).toBe(404)
  const headers = { Authorization: 'Bearer alice', ...named }
  expect((await fetch(two().url, { method: 'DELETE', headers })).status).toBe(200)
  const status = async (of: ServerProcess): Promise<number> =>
    (await post(of, { id: crypto.randomUUID(), method: 'tools/list' }, named)).status
  await expect.poll(() => status(one()), { timeout: patience }).toBe(404)
  expect(await status(two())).toBe(404)
})

it('shows no task to another owner, and refuses a request without a token', async () => {
  const taskId = await begin('ask', 'b')
  await expect(followTask(await connect(two(), accept, 'bob'), taskId)).rejects.toMatchObject({ code: -32602 })
  expect((await fetch(one().url, { method: 'POST', body: '{}' })).status).toBe(401)
})

it('ends a request of a session that is cancelled at another process', async () => {
  const named = await session()
  const called = await post(
    one(),
    { id: 7, method: 'tools/call', params: { name: 'hang', arguments: { name: 'e' } } },
    named
  )
  await one().said('step slow e')
  await post(two(), { method: 'notifications/cancelled', params: { requestId: 7 } }, named)
  expect(await called.text()).not.toContain('"result"')
})

it('takes one of two answers that come to two processes at once', async () => {
  const named = await session()
  const call = { id: 8, method: 'tools/call', params: { name: 'ask', arguments: { name: 'two' } } }
  const messages = messagesOf(await post(one(), call, named))
  const { id } = await heard(messages, ({ method }) => method === 'elicitation/create')
  const answers = [true, false].map((confirm) => ({ id, result: { action: 'accept', content: { confirm } } }))
  const statuses = await Promise.all([post(one(), answers[0] ?? {}, named), post(two(), answers[1] ?? {}, named)])
  expect(statuses.map(({ status }) => status)).toEqual([202, 202])
  const { result } = await heard(messages, (message) => message['id'] === 8)
  expect(textOf(result as object)).toMatch(/^accept (true|false) two$/)
  expect(one().lines.filter((line) => line === 'step last two')).toHaveLength(1)
})

it('tells a client that listens at one process what it asked another one to tell', async () => {
  const named = await session()
  const listening = new AbortController()
  const headers = { Accept: 'text/event-stream', Authorization: 'Bearer alice', ...named }
  const messages = messagesOf(await fetch(two().url, { headers, signal: listening.signal }))
  await post(one(), { id: 2, method: 'intab/watch' }, named)
  const taskId = await begin('ask', 'watched')
  const about = ({ params }: Record<string, unknown>) => (params as { taskId?: string } | undefined)?.taskId === taskId
  await heard(messages, (message) => message['method'] === 'notifications/tasks/status' && about(message))
  await post(one(), { id: 3, method: 'intab/tasks/delete', params: { taskId } }, named)
  const removed = await heard(messages, ({ method }) => method === 'notifications/intab/removed')
  expect(about(removed)).toBe(true)
  listening.abort()
})

it('shows a question that a client takes at a process where it does not listen, and withdraws it where it does', async () => {
  const named = await session()
  const headers = { Accept: 'text/event-stream', Authorization: 'Bearer alice', ...named }
  const listening = new AbortController()
  const messages = messagesOf(await fetch(two().url, { headers, signal: listening.signal }))
  const taskId = await begin('ask', 'taken')
  const open = async () => (await listQuestions(await connect(two()))).find((question) => question.taskId === taskId)
  await expect.poll(open, { timeout: patience }).toBeDefined()
  const { requestId = '' } = (await open()) ?? {}
  const taken = await post(one(), { id: 4, method: 'intab/questions/take', params: { requestId } }, named)
  const both = messagesOf(taken)
  await heard(both, ({ id, method }) => id === requestId && method === 'elicitation/create')
  await heard(both, ({ id, result }) => id === 4 && result !== undefined)
  const other = await followTask(await connect(two()), taskId)
  await other.cancel()
  const isWithdrawn = ({ method, params }: Record<string, unknown>): boolean =>
    method === 'notifications/cancelled' && (params as { requestId?: unknown }).requestId === requestId
  expect(await heard(messages, isWithdrawn)).toHaveProperty('params.reason')
  listening.abort()
})

it('gives a taken question back when its client listens nowhere any more', async () => {
  const named = await session()
  const headers = { Accept: 'text/event-stream', Authorization: 'Bearer alice', ...named }
  const listening = new AbortController()
  await fetch(two().url, { headers, signal: listening.signal })
  const reader = await connect(two())
  const { taskId } = await runTask(reader, { name: 'ask', arguments: { name: 'left' } })
  const open = async () => (await listQuestions(reader)).find((question) => question.taskId === taskId)
  await expect.poll(open, { timeout: patience }).toBeDefined()
  const { requestId = '' } = (await open()) ?? {}
  await (await post(one(), { id: 5, method: 'intab/questions/take', params: { requestId } }, named)).text()
  expect(await open()).toMatchObject({ shown: true, here: false })
  listening.abort()
  // Whoever began the task is asked next.
  await expect.poll(async () => (await open())?.here, { timeout: patience }).toBe(true)
})

it.each(eras)('calls a plain tool at any process, for clients of %s', async (era) => {
  for (const host of [one(), two()]) {
    const client = await connectClient(era, host.transport(era), accept)
    clients.push(client)
    expect(textOf(await agentTools(client).call('add', { a: 1, b: 2 }))).toBe('3')
  }
})

it('tells a plain tool that asks why it cannot', async () => {
  const client = await connect(one(), accept)
  const result = await agentTools(client).call('wonder', {})
  expect(result).toMatchObject({ isError: true })
  expect(textOf(result)).toMatch(/cannot ask the client \(elicitation\/create\).*define the tool with taskTool/)
})

it('runs a tool that kills its process three times, and then no more', async () => {
  const taskId = await begin('poison', 'q')
  const runs = (): string[] => [...one().lines, ...two().lines].filter((line) => line.endsWith(' q'))
  // Whichever process dies of it comes again.
  const restarted = async (): Promise<number> => {
    await start().catch(() => undefined)
    return runs().length
  }
  await expect.poll(restarted, { timeout: patience }).toBe(3)
  await start()
  expect(await outcome(taskId)).toMatch(/run 3 times and got no further/)
  expect(runs().toSorted()).toEqual(['run 1 q', 'run 2 q', 'run 3 q'])
})

it('leaves its tasks to the others at SIGTERM, and no step counts as failed', async () => {
  const taskId = await begin('hang', 'r')
  await one().said('step slow r')
  expect(await one().end('SIGTERM')).toBe(0)
  expect(await outcome(taskId)).toBe('r in attempt 2')
})

it(
  'runs a thousand tasks of ten clients, though one of the processes dies meanwhile',
  { timeout: 240_000 },
  async () => {
    const hosts = Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? one() : two()))
    const taskIds = await Promise.all(
      hosts.map(async (host, n) => {
        const client = await connect(host)
        const begun: string[] = []
        for (let k = 0; k < 100; k += 1) {
          begun.push((await runTask(client, { name: 'quick', arguments: { name: `${n}-${k}` } })).taskId)
        }
        return begun
      })
    )
    await one().end()
    const results = await Promise.all(
      taskIds.map(async (ids) => {
        const reading = await connect(two())
        return Promise.all(ids.map(async (id) => textOf(await (await followTask(reading, id)).result())))
      })
    )
    const expected = hosts.flatMap((_, n) => Array.from({ length: 100 }, (__, k) => `${n}-${k}`))
    expect(results.flat()).toEqual(expected)
  }
)
