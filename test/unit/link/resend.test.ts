import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { beforeEach, expect, test } from 'vitest'
import { failed, type FakePage, initializedPage, notification, type Origin, request, result, soon } from './rig.js'

let origin: Origin
let page: FakePage
beforeEach(async () => {
  ;({ origin, page } = await initializedPage())
  return () => page.transport.close()
})

/** Sends requests, kills the worker, and returns what the next worker hears after the replay. */
async function heardByTheNext(...requests: JSONRPCMessage[]): Promise<JSONRPCMessage[]> {
  await Promise.all(requests.map((message) => page.transport.send(message)))
  origin.kill()
  await reconnected()
  const end = request(999, 'ping')
  await page.transport.send(end)
  return origin.worker.session.received.slice(2, -1)
}

async function reconnected(workers = 2): Promise<void> {
  await soon(() => expect(origin.workers).toHaveLength(workers))
  await soon(() => expect(page.transport.state).toBe('connected'))
}

const taskMeta = (taskId: string, place: number): object => ({
  _meta: { 'intab/message': place, 'io.modelcontextprotocol/related-task': { taskId } }
})

test('F57 the next worker hears initialize and initialized before anything else, and the client no second response', async () => {
  const heard = await heardByTheNext(request(1, 'tools/list'))
  expect(origin.worker.session.received.slice(0, 2)).toMatchObject([
    { method: 'initialize', params: { protocolVersion: '2025-11-25' } },
    { method: 'notifications/initialized' }
  ])
  expect(heard).toEqual([request(1, 'tools/list')])
  expect(page.received).toEqual([])
})

test('the log level that was set last is set again', async () => {
  for (const [id, level] of [
    [1, 'debug'],
    [2, 'error']
  ] as const) {
    await page.transport.send(request(id, 'logging/setLevel', { level }))
    await soon(() => page.answerTo(id))
  }
  expect(await heardByTheNext()).toMatchObject([{ method: 'logging/setLevel', params: { level: 'error' } }])
})

test('resources are subscribed to again, unless they were unsubscribed from or refused', async () => {
  origin.behave = (message, session) => {
    if (!('id' in message) || !('method' in message)) return undefined
    const refused = message.params?.uri === 'x:refused'
    session.send(refused ? failed(message.id, -32602) : result(message.id)).catch(() => undefined)
    return undefined
  }
  const calls = [
    ['resources/subscribe', 'x:kept'],
    ['resources/subscribe', 'x:left'],
    ['resources/subscribe', 'x:refused'],
    ['resources/unsubscribe', 'x:left']
  ] as const
  for (const [id, [method, uri]] of calls.entries()) {
    await page.transport.send(request(id + 1, method, { uri }))
    await soon(() => page.answerTo(id + 1))
  }
  const heard = await heardByTheNext()
  expect(heard).toMatchObject([{ method: 'resources/subscribe', params: { uri: 'x:kept' } }])
})

test.each([
  'ping',
  'tools/list',
  'prompts/get',
  'prompts/list',
  'resources/read',
  'resources/list',
  'resources/templates/list',
  'completion/complete',
  'tasks/get',
  'tasks/list',
  'tasks/result',
  'tasks/cancel',
  'tasks/update',
  'server/discover',
  'subscriptions/listen',
  'intab/questions/list',
  'intab/questions/take',
  'intab/forget'
])('a pending %s is sent again under its id, and its answer reaches the client', async (method) => {
  const pending = request(7, method, { taskId: 't' })
  expect(await heardByTheNext(pending)).toEqual([pending])
  await origin.worker.session.send(result(7, { fine: true }))
  expect(page.received).toContainEqual(result(7, { fine: true }))
})

test.each(['unknown/act', 'intab/tasks/delete'])(
  'F31 a pending %s is not sent again: it fails with worker_gone at once',
  async (method) => {
    expect(await heardByTheNext(request(7, method, { name: 'x' }))).toEqual([])
    expect(page.answerTo(7)).toMatchObject({ error: { code: -31032, data: { code: 'worker_gone' } } })
  }
)

test('a tool call is sent again with the key that it had, and says so: the worker knows what may have run', async () => {
  const [again] = await heardByTheNext(request(7, 'tools/call', { name: 'x', _meta: { progressToken: 7 } }))
  const key = expect.stringMatching(/^[0-9a-f-]{36}$/) as string
  const sent = origin.workers[0]?.session.received.at(-1)
  const first = { progressToken: 7, 'intab/key': key, 'intab/fresh': true }
  expect(sent).toEqual(request(7, 'tools/call', { name: 'x', _meta: first }))
  const { 'intab/fresh': _, ...meta } = { ...(sent && 'params' in sent ? sent.params?._meta : {}) }
  expect(again).toEqual(request(7, 'tools/call', { name: 'x', _meta: { ...meta, 'intab/retry': true } }))
})

test('every tool call has a key of its own, unless the app gave one', async () => {
  await page.transport.send(request(1, 'tools/call', { name: 'x' }))
  await page.transport.send(request(2, 'tools/call', { name: 'x' }))
  await page.transport.send(request(3, 'tools/call', { name: 'x', _meta: { 'intab/key': 'mine' } }))
  const keys = origin.worker.session.received
    .slice(2)
    .map((message) => ('method' in message ? message.params?._meta?.['intab/key'] : ''))
  expect(new Set(keys).size).toBe(3)
  expect(keys[2]).toBe('mine')
})

test('what was answered or cancelled by the client is not sent again', async () => {
  await page.transport.send(request(1, 'resources/read'))
  await page.transport.send(request(2, 'prompts/list'))
  await origin.worker.session.send(result(1))
  await page.transport.send(notification('notifications/cancelled', { requestId: 2 }))
  expect(await heardByTheNext()).toEqual([])
})

test('tasks/result asks only for what it has not seen, even when notifications came out of order', async () => {
  await page.transport.send(request(1, 'tasks/result', { taskId: 't', _meta: { mine: 1 } }))
  await page.transport.send(request(2, 'tasks/result', { taskId: 'u' }))
  for (const place of [1, 3, 2]) {
    await origin.worker.session.send(notification('notifications/message', { data: place, ...taskMeta('t', place) }))
  }
  expect(await heardByTheNext()).toEqual([
    request(1, 'tasks/result', { taskId: 't', _meta: { mine: 1, 'intab/seen': 3 } }),
    request(2, 'tasks/result', { taskId: 'u' })
  ])
  expect(page.received).toHaveLength(3)
})

test('a cancel that is refused the second time was a success if the task is cancelled', async () => {
  await heardByTheNext(request(7, 'tasks/cancel', { taskId: 't' }))
  origin.worker.behave = (message, session) => {
    if ('id' in message && 'method' in message && message.method === 'tasks/get') {
      session.send(result(message.id, { taskId: 't', status: 'cancelled' })).catch(() => undefined)
    }
    return undefined
  }
  await origin.worker.session.send(failed(7, -32602, 'Cannot cancel'))
  await soon(() => expect(page.answerTo(7)).toEqual(result(7, { taskId: 't', status: 'cancelled' })))
})

test('a cancel that is refused because the task had ended is refused', async () => {
  await heardByTheNext(request(7, 'tasks/cancel', { taskId: 't' }))
  origin.worker.behave = (message, session) => {
    if ('id' in message && 'method' in message && message.method === 'tasks/get') {
      session.send(result(message.id, { taskId: 't', status: 'completed' })).catch(() => undefined)
    }
    return undefined
  }
  await origin.worker.session.send(failed(7, -32602, 'Cannot cancel'))
  await soon(() => expect(page.answerTo(7)).toEqual(failed(7, -32602, 'Cannot cancel')))
})

test('a cancel that was sent once is refused without further questions', async () => {
  await page.transport.send(request(7, 'tasks/cancel', { taskId: 't' }))
  await origin.worker.session.send(failed(7, -32602, 'Cannot cancel'))
  expect(page.answerTo(7)).toEqual(failed(7, -32602, 'Cannot cancel'))
})

test('a cancel whose confirmation dies with the second worker goes to the third', async () => {
  await heardByTheNext(request(7, 'tasks/cancel', { taskId: 't' }))
  await origin.worker.session.send(failed(7, -32602))
  origin.kill()
  await reconnected(3)
  await soon(() => expect(origin.worker.session.received).toContainEqual(request(7, 'tasks/cancel', { taskId: 't' })))
  await origin.worker.session.send(result(7, { status: 'cancelled' }))
  expect(page.answerTo(7)).toEqual(result(7, { status: 'cancelled' }))
})
