import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { beforeEach, expect, test, vi } from 'vitest'
import { IntabError } from '../../../src/errors.js'
import { FakePage, notification, Origin, request, result, soon } from './rig.js'

const question = request('task:t:q', 'elicitation/create', { message: 'Sure?' })

let origin: Origin
beforeEach(() => {
  origin = new Origin()
})

test('connects, and tells what it is connected to', async () => {
  const page = await origin.page()
  const { transport } = page
  expect(page.states).toEqual(['connected'])
  expect(transport).toMatchObject({ state: 'connected', kind: 'shared-worker', worker: origin.worker.id })
  expect(origin.worker.session.hello).toMatchObject({
    version: 1,
    session: transport.session,
    connection: transport.connection,
    holding: []
  })
  await transport.close()
})

test('the data of the app reaches its server', async () => {
  const page = await origin.page({ data: { user: 'ada' } })
  expect(origin.worker.session.hello.data).toEqual({ user: 'ada' })
  await page.transport.close()
})

test('messages go both ways', async () => {
  const page = await origin.page()
  await page.transport.send(request(1, 'ping'))
  expect(origin.worker.session.received).toEqual([request(1, 'ping')])
  await origin.worker.session.send(result(1))
  expect(page.received).toEqual([result(1)])
  await page.transport.close()
})

test('F24 a request that cannot be cloned is refused, and the client may go on', async () => {
  const page = await origin.page()
  const bad = request(1, 'tools/call', { arguments: { handler: () => undefined } })
  await expect(page.transport.send(bad)).rejects.toMatchObject({ code: 'not_json' })
  origin.kill()
  await soon(() => expect(page.states).toEqual(['connected', 'reconnecting', 'connected']))
  await page.transport.send(request(2, 'ping'))
  expect(origin.worker.session.received).toEqual([request(2, 'ping')])
  await page.transport.close()
})

test.each([
  undefined,
  null,
  7,
  'text',
  [],
  {},
  { jsonrpc: '2.0' },
  { jsonrpc: '2.0', id: 1 },
  { id: 1, method: 'ping' },
  { jsonrpc: '2.0', id: null, method: 'ping' },
  { jsonrpc: '2.0', id: undefined, method: 'ping' },
  { jsonrpc: '2.0', id: {}, method: 'ping' },
  { jsonrpc: '2.0', id: 1.5, method: 'ping' },
  { jsonrpc: '2.0', id: 1, method: 'ping', result: {} },
  { jsonrpc: '2.0', result: {} },
  { jsonrpc: '2.0', id: 1, result: {}, error: { code: 1, message: 'no' } }
])('what is no JSON-RPC message is refused, connected or not: %j', async (value) => {
  const page = await origin.page()
  const refused = { code: 'not_json', message: expect.stringContaining('Invalid JSON-RPC message') }
  await expect(page.transport.send(value as JSONRPCMessage)).rejects.toMatchObject(refused)
  await page.transport.send(request(1, 'ping'))
  expect(origin.worker.session.received).toEqual([request(1, 'ping')])
  await page.transport.close()
  await expect(page.transport.send(value as JSONRPCMessage)).rejects.toMatchObject(refused)
})

test('F22 close says bye, lets the locks go and calls onclose once, however often it is called', async () => {
  const page = await origin.page()
  const { signal } = origin.worker.session
  await Promise.all([page.transport.close(), page.transport.close()])
  await soon(() => expect(signal.aborted).toBe(true))
  expect(page.closes).toBe(1)
  expect(page.states).toEqual(['connected', 'closed'])
  expect(origin.space.names).toEqual([origin.worker.lock])
})

test('after close nothing is sent, and nothing pends', async () => {
  const page = await origin.page()
  origin.worker.behave = () => new Promise(() => undefined)
  const pending = page.transport.send(notification('notifications/roots/list_changed'))
  await soon(() => expect(origin.worker.session.received).toHaveLength(1))
  await page.transport.close()
  await expect(pending).rejects.toMatchObject({ code: 'closed' })
  await expect(page.transport.send(request(1, 'ping'))).rejects.toMatchObject({ code: 'closed' })
})

test('close while it reconnects ends what waits', async () => {
  const page = await origin.page()
  origin.kill()
  await soon(() => expect(page.transport.state).toBe('reconnecting'))
  const waiting = page.transport.send(request(1, 'ping'))
  await page.transport.close()
  await expect(waiting).rejects.toMatchObject({ code: 'closed' })
  expect(origin.space.names).toEqual([])
  expect(origin.workers).toHaveLength(1)
})

test('close while it connects rejects the start', async () => {
  const page = new FakePage(origin.space, origin.factory)
  const started = page.transport.start()
  await page.transport.close()
  await expect(started).rejects.toMatchObject({ code: 'closed' })
  expect(page.closes).toBe(1)
})

test('a transport is started once, and sends nothing before', async () => {
  const page = new FakePage(origin.space, origin.factory)
  await expect(page.transport.send(request(1, 'ping'))).rejects.toMatchObject({ code: 'invalid_options' })
  await page.transport.start()
  await expect(page.transport.start()).rejects.toMatchObject({ code: 'invalid_options' })
  await page.transport.close()
  await expect(page.transport.start()).rejects.toMatchObject({ code: 'invalid_options' })
})

test('F29 without Web Locks start says so, and the client may connect with another transport', async () => {
  vi.stubGlobal('navigator', {})
  const page = new FakePage(origin.space, origin.factory)
  const { locks: _, ...rest } = { locks: page.locks }
  const { WorkerTransport } = await import('../../../src/link/worker-transport.js')
  const transport = new WorkerTransport(origin.factory, rest)
  let closes = 0
  transport.onclose = () => {
    closes += 1
  }
  await expect(transport.start()).rejects.toMatchObject({ code: 'insecure_context' })
  vi.unstubAllGlobals()
  expect([closes, transport.state, origin.calls]).toEqual([1, 'closed', 0])
})

test('an app that throws when it hears of a state disturbs nothing', async () => {
  const page = await origin.page()
  page.transport.onstatechange = () => {
    throw new Error('from the app')
  }
  await page.transport.close()
  expect(page.errors).toMatchObject([{ message: 'from the app' }])
  expect(page.closes).toBe(1)
})

test('F66 a superseded page is told so: pending and new calls fail with the task id, questions are withdrawn', async () => {
  const page = await origin.page()
  await page.transport.send(request(1, 'tasks/result', { taskId: 't' }))
  await origin.worker.session.send(question)
  page.received.length = 0
  await origin.worker.session.transport.close({ superseded: true })
  await soon(() => expect(page.states).toEqual(['connected', 'superseded']))
  expect(page.received).toMatchObject([
    { id: 1, error: { code: -31031, data: { code: 'superseded', taskId: 't' } } },
    { method: 'notifications/cancelled', params: { requestId: 'task:t:q' } }
  ])
  await page.transport.send(request(2, 'tools/list'))
  expect(page.answerTo(2)).toMatchObject({ error: { code: -31031, data: { code: 'superseded' } } })
  await expect(page.transport.send(notification('notifications/x'))).rejects.toMatchObject({ code: 'superseded' })
  expect(origin.calls).toBe(1)
  expect(page.closes).toBe(0)
})

test('a superseded page has let its locks go, so that others get its questions, and can be closed', async () => {
  const page = await origin.page()
  await origin.worker.session.transport.close({ superseded: true })
  await soon(() => expect(page.transport.state).toBe('superseded'))
  expect(origin.space.names).toEqual([origin.worker.lock])
  page.leave()
  page.comeBack()
  expect(page.transport.state).toBe('superseded')
  await page.transport.close()
  expect([page.states.at(-1), page.closes]).toEqual(['closed', 1])
})

test('an answer that waits for a worker when the page is superseded rejects with that', async () => {
  const page = await origin.page()
  origin.worker.behave = (message) =>
    'method' in message ? undefined : Promise.reject(new IntabError('storage_busy', 'busy'))
  await origin.worker.session.send(question)
  const sent = page.transport.send(result('task:t:q'))
  await soon(() => expect(page.errors).toHaveLength(1))
  await origin.worker.session.transport.close({ superseded: true })
  await expect(sent).rejects.toMatchObject({ code: 'superseded' })
})

test('a worker that refuses a reconnecting page because it is superseded is believed', async () => {
  const page = await origin.page()
  await page.transport.send(request(1, 'ping'))
  origin.worker.accept = () => Promise.reject(new IntabError('superseded', 'A newer version has taken over'))
  await origin.worker.session.transport.close()
  await soon(() => expect(page.states).toEqual(['connected', 'reconnecting', 'superseded']))
  expect(page.answerTo(1)).toMatchObject({ error: { data: { code: 'superseded' } } })
})

test('a client does not wait until its initialized is acknowledged, and is told when it is refused', async () => {
  const page = await origin.page()
  let refuse = (_: Error): void => undefined
  origin.behave = () => new Promise((_, reject) => (refuse = reject))
  await page.transport.send(notification('notifications/initialized'))
  expect(page.errors).toEqual([])
  await soon(() => expect(origin.worker.session.received).toHaveLength(1))
  refuse(new Error('not you'))
  await soon(() => expect(page.errors).toMatchObject([{ message: 'not you' }]))
  await page.transport.close()
})
