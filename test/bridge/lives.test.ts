// Sessions over HTTP live and die, and what a dead client held goes to others.

import { expect, test } from 'vitest'
import { RawHttp } from '../support/raw-http.js'
import { forms, rawTab } from '../support/raw-tab.js'
import { confirmDelete, gate, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'
import { worldBridge } from '../support/world-bridge.js'

const isQuestion = ({ method }: { method?: string }): boolean => method === 'elicitation/create'
const isAnswer = (message: object): boolean => 'result' in message || 'error' in message
const yes = { action: 'accept', content: { confirm: true } }

/** Short, so that a test waits for what they do, and never for nothing to happen within them. */
const soon = { silence: 20 }

test('R4 a client without an open stream for 5 s: its question goes to the next that waits', async () => {
  const world = new World({ tools: [confirmDelete] })
  const { url } = await worldBridge(world, { sessions: soon })
  const [gone, next] = [await RawHttp.open(url, forms), await RawHttp.open(url, forms)]
  const taskId = await gone.create('confirm_delete', { filename: 'a' })
  const shown = await gone.ask('tasks/result', { taskId })
  await shown.next(isQuestion)
  const waiting = await next.ask('tasks/result', { taskId })
  gone.die()
  const { id } = await waiting.next(isQuestion)
  await next.post({ jsonrpc: '2.0', id, result: yes })
  expect(await waiting.next(isAnswer)).toMatchObject({ result: text('Deleted a') })
})

test('R4 a client that is gone before the question comes is not asked', async () => {
  const world = new World({ tools: [confirmDelete], deliveryGrace: 1 })
  const { url } = await worldBridge(world, { sessions: soon })
  const gone = await RawHttp.open(url, forms)
  const taskId = await gone.create('confirm_delete', { filename: 'a' })
  gone.die()
  const tab = await rawTab(world, { capabilities: forms })
  const result = tab.result(taskId)
  await tab.answer(await tab.next('elicitation/create'), { result: yes })
  expect(await result).toMatchObject(text('Deleted a'))
})

test('G12 a client that lost the stream with its question is asked on its next tasks/result', async () => {
  const world = new World({ tools: [confirmDelete] })
  const { url } = await worldBridge(world)
  const client = await RawHttp.open(url, forms)
  const taskId = await client.create('confirm_delete', { filename: 'a' })
  const lost = await client.ask('tasks/result', { taskId })
  const { id } = await lost.next(isQuestion)
  lost.cut()
  await lost.ended
  const again = await client.ask('tasks/result', { taskId })
  expect((await again.next(isQuestion)).id).toBe(id)
  expect((await client.post({ jsonrpc: '2.0', id, result: yes })).status).toBe(202)
  expect(await again.next(isAnswer)).toMatchObject({ result: text('Deleted a') })
})

test('a client that comes back after it gave its question away is asked anew, and learns that an old answer came too late', async () => {
  const world = new World({ tools: [confirmDelete] })
  const { url } = await worldBridge(world, { sessions: soon })
  const client = await RawHttp.open(url, forms)
  const taskId = await client.create('confirm_delete', { filename: 'a' })
  const lost = await client.ask('tasks/result', { taskId })
  const { id } = await lost.next(isQuestion)
  const worker = world.living()
  // On a slow machine it was away before.
  const before = worker.eventsOf('closed').length
  lost.cut()
  await expect.poll(() => worker.eventsOf('closed').length).toBe(before + 1)
  const late = await client.post({ jsonrpc: '2.0', id, result: yes })
  expect(late.status).toBe(400)
  expect(await late.ended).toContain('moved to another client')
  const again = await client.ask('tasks/result', { taskId })
  await again.next(isQuestion)
  await client.post({ jsonrpc: '2.0', id, result: yes })
  expect(await again.next(isAnswer)).toMatchObject({ result: text('Deleted a') })
})

test('a question whose answer did not fit is asked again on the stream of its plain call', async () => {
  const ask = toolOf('ask', async (_, task) => {
    const properties = { n: { type: 'integer' as const } }
    const form = { message: '?', requestedSchema: { type: 'object' as const, properties, required: ['n'] } }
    return text(String((await task.elicit(form)).content?.['n']))
  })
  const { url } = await worldBridge(new World({ tools: [ask] }))
  const client = await RawHttp.open(url, forms)
  const call = await client.ask('tools/call', { name: 'ask' })
  const { id } = await call.next(isQuestion)
  await client.post({ jsonrpc: '2.0', id, result: { action: 'accept', content: { n: 'x' } } })
  const again = await call.next(
    (message) =>
      isQuestion(message) && '_meta' in (message.params ?? {}) && /not taken/.test(String(message.params?.['message']))
  )
  expect(again.id).toBe(id)
  await client.post({ jsonrpc: '2.0', id, result: { action: 'accept', content: { n: 3 } } })
  expect(await call.next(isAnswer)).toMatchObject({ result: text('3') })
})

test('a client that is away keeps its session, and a call that runs goes on', async () => {
  const end = gate()
  const slow = toolOf('slow', async () => {
    await end.opened
    return text('slow')
  })
  const world = new World({
    tools: [slow],
    setup: (server) => void server.registerTool('plain', {}, () => text('plain'))
  })
  const { url } = await worldBridge(world, { sessions: soon })
  const client = await RawHttp.open(url)
  const call = await client.ask('tools/call', { name: 'slow' })
  await expect.poll(() => call.lastId).not.toBe('')
  call.cut()
  await call.ended
  end.open()
  const resumed = await client.get({ 'Last-Event-ID': call.lastId })
  expect(await resumed.next(isAnswer)).toMatchObject({ result: text('slow') })
  await resumed.ended
  expect(await client.ok('tools/call', { name: 'plain' })).toEqual(text('plain'))
})

test('an unknown or ended session, or one idle for 30 minutes: 404 after a while, and its connection to the page has ended', async () => {
  const world = new World()
  const { url } = await worldBridge(world, { sessions: { silence: 5, idle: 10 } })
  const client = await RawHttp.open(url)
  await expect.poll(async () => (await client.ask('ping')).status).toBe(404)
  const worker = world.living()
  await expect.poll(() => worker.eventsOf('closed').length).toBe(worker.eventsOf('opened').length)
  client.session = undefined
  expect((await client.ask('ping')).status).toBe(400)
})

test('DELETE ends a session: its streams end, and it is not found', async () => {
  const world = new World()
  const { url } = await worldBridge(world)
  const client = await RawHttp.open(url)
  const stream = await client.get()
  expect((await client.delete()).status).toBe(200)
  await stream.ended
  expect((await client.ask('ping')).status).toBe(404)
})

test('G24 a request cancelled by its client: no response, its stream ends, and whoever resumes it is told that nothing comes', async () => {
  const world = new World({
    setup: (server) => void server.registerTool('never', {}, () => new Promise(() => undefined))
  })
  const { url } = await worldBridge(world)
  const client = await RawHttp.open(url)
  for (let n = 0; n < 20; n += 1) {
    const call = await client.ask('tools/call', { name: 'never' }, n)
    expect((await client.notify('notifications/cancelled', { requestId: n })).status).toBe(202)
    await call.ended
    expect(call.messages).toEqual([])
    expect((await client.get({ 'Last-Event-ID': call.lastId })).status).toBe(204)
  }
  expect(await client.ok('ping')).toEqual({})
})

test('the bridge that stops answers what is open, on each of its sessions', async () => {
  const world = new World({
    setup: (server) => void server.registerTool('never', {}, () => new Promise(() => undefined))
  })
  const bridge = await worldBridge(world)
  const clients = [await RawHttp.open(bridge.url), await RawHttp.open(bridge.url)]
  const calls = await Promise.all(clients.map((client) => client.ask('tools/call', { name: 'never' })))
  await bridge.close()
  for (const call of calls) {
    expect(await call.next(isAnswer)).toMatchObject({ error: { data: { code: 'closed' } } })
    await call.ended
  }
})
