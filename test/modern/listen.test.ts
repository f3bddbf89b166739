// Lists, logs and subscriptions; the numbers are those of the checklist in docs/wire.md.

import { describe, expect, test, vi } from 'vitest'
import { SubscribeRequestSchema, UnsubscribeRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import * as z from 'zod'
import { META } from '../../src/modern/keys.js'
import { accept, forms, modernTab } from '../support/modern-tab.js'
import { rawTab } from '../support/raw-tab.js'
import { confirmDelete, gate, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

const never = toolOf('never', () => new Promise(() => undefined))

/** What each connection's own server subscribed to, and that server. */
const open = async () => {
  const servers: McpServer[] = []
  const subscribed: string[] = []
  const world = new World({
    tools: [never, confirmDelete],
    setup(server) {
      servers.push(server)
      server.registerTool('b', { inputSchema: { n: z.number() } }, () => text('b'))
      server.registerTool('a', { outputSchema: { n: z.number() } }, () => ({
        structuredContent: { n: 'x' },
        content: []
      }))
      server.registerPrompt('p', {}, () => ({ messages: [] }))
      server.registerResource('r', 'test://r', {}, ({ href }) => ({ contents: [{ uri: href, text: 'r' }] }))
      server.registerTool('logs', {}, async ({ sendNotification }) => {
        for (const level of ['debug', 'warning'] as const) {
          await sendNotification({ method: 'notifications/message', params: { level, data: level } })
        }
        return text('logged')
      })
      server.server.registerCapabilities({ resources: { subscribe: true } })
      server.server.setRequestHandler(SubscribeRequestSchema, ({ params }) => {
        subscribed.push(params.uri)
        return {}
      })
      server.server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
        subscribed.splice(subscribed.indexOf(params.uri), 1)
        return {}
      })
    }
  })
  return { world, servers, subscribed, tab: await modernTab(world) }
}

test('subscriptions/listen looks in one transaction which of its tasks are there, however many it names', async () => {
  const { tab } = await open()
  const { taskId } = await tab.ok('tools/call', { name: 'never', arguments: {} })
  const ids = [taskId, ...Array.from({ length: 1000 }, () => crypto.randomUUID())]
  const transactions = vi.spyOn(IDBDatabase.prototype, 'transaction')
  const { acknowledged } = await tab.listen({ taskIds: ids })
  expect(acknowledged.params.notifications).toEqual({ taskIds: [taskId] })
  expect(transactions.mock.calls.length).toBeLessThanOrEqual(5)
  transactions.mockRestore()
})

describe('lists and calls of the SDK', () => {
  test('12 say how long they may be kept, and by whom', async () => {
    const { tab } = await open()
    const kept = { ttlMs: 0, cacheScope: 'private' }
    for (const method of ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']) {
      expect(await tab.ok(method)).toMatchObject(kept)
    }
    expect(await tab.ok('resources/read', { uri: 'test://r' })).toMatchObject(kept)
    expect(await tab.ok('prompts/get', { name: 'p' })).not.toHaveProperty('ttlMs')
    const asked = await tab.ok('tools/call', { name: 'confirm_delete', arguments: { filename: 'f' } })
    expect(asked).not.toHaveProperty('cacheScope')
  })

  test('13 list the same tools in the same order, whatever was called and whoever asks, without `execution`', async () => {
    const { world, tab } = await open()
    const before = await tab.ok('tools/list')
    await tab.call('never')
    const other = await modernTab(world, { can: {}, tasks: false })
    expect((await other.ok('tools/list'))['tools']).toEqual(before['tools'])
    expect((await tab.ok('tools/list'))['tools']).toEqual(before['tools'])
    expect(before['tools']).toMatchObject(['never', 'confirm_delete', 'b', 'a', 'logs'].map((name) => ({ name })))
    expect(JSON.stringify(before)).not.toContain('execution')
  })

  test('14 refuse an unknown tool with an error, and bad arguments or a result that does not fit with a result', async () => {
    const { tab } = await open()
    expect(await tab.fail('tools/call', { name: 'nope' })).toMatchObject({
      code: -32602,
      message: 'Tool nope not found'
    })
    expect(await tab.call('b', { n: 'x' })).toMatchObject({ isError: true, resultType: 'complete' })
    expect(await tab.call('confirm_delete', { filename: 1 })).toMatchObject({ isError: true, resultType: 'complete' })
    expect(await tab.call('a')).toMatchObject({ isError: true })
    const missing = { code: -32602, data: { uri: 'test://nope' } }
    expect(await tab.fail('resources/read', { uri: 'test://nope' })).toMatchObject(missing)
    expect(await tab.fail('prompts/get', { name: 'nope' })).toMatchObject({ code: -32602 })
  })

  test('15 log only what the request asked for', async () => {
    const { tab } = await open()
    await tab.call('logs')
    expect(tab.raw.heard('notifications/message')).toEqual([])
    await tab.call('logs', {}, { meta: { [META.logLevel]: 'warning' } })
    expect(tab.raw.heard('notifications/message').map(({ params }) => params['level'])).toEqual(['warning'])
  })

  test('15 tell an uninitialized client nothing that it does not listen to, and an initialized one as before', async () => {
    const { world, servers, tab } = await open()
    const legacy = await rawTab(world)
    for (const { server } of servers) await server.sendToolListChanged()
    await legacy.next('notifications/tools/list_changed')
    await tab.ok('tools/list')
    expect(tab.raw.log.filter((message) => 'method' in message)).toEqual([])
  })
})

describe('subscriptions/listen', () => {
  test('22 is acknowledged first, with what is honoured, and tags whatever comes', async () => {
    const { servers, tab } = await open()
    const filter = { toolsListChanged: true, resourceSubscriptions: ['test://r'], taskIds: ['nope'], someOther: true }
    const { id, acknowledged } = await tab.listen(filter)
    expect(acknowledged.params).toEqual({
      notifications: { toolsListChanged: true, resourceSubscriptions: ['test://r'] },
      _meta: { [META.subscription]: id }
    })
    for (const server of servers) {
      await server.server.sendPromptListChanged()
      await server.server.sendResourceUpdated({ uri: 'test://other' })
      await server.server.sendResourceUpdated({ uri: 'test://r' })
      await server.server.sendToolListChanged()
    }
    expect((await tab.raw.next('notifications/tools/list_changed')).params._meta).toEqual({ [META.subscription]: id })
    const updated = tab.raw.heard('notifications/resources/updated')
    expect(updated.map(({ params }) => params)).toEqual([{ uri: 'test://r', _meta: { [META.subscription]: id } }])
    expect(tab.raw.heard('notifications/prompts/list_changed')).toEqual([])
  })

  test('22 subscribes for as long as it is open', async () => {
    const { subscribed, tab } = await open()
    const { id } = await tab.listen({ resourceSubscriptions: ['test://r'] })
    expect(subscribed).toEqual(['test://r'])
    await tab.raw.notify('notifications/cancelled', { requestId: id })
    await expect.poll(() => subscribed).toEqual([])
  })

  test.each([{}, { notifications: [] }, { notifications: { taskIds: 'x' } }])('22 refuses %j', async (params) => {
    const { tab } = await open()
    expect(await tab.fail('subscriptions/listen', params)).toMatchObject({ code: -32602 })
  })

  test('31 tells whole tasks, as tasks/get would, and no older state after a newer one', async () => {
    const { tab } = await open()
    const { taskId } = await tab.call('confirm_delete', { filename: 'f' })
    const { id } = await tab.listen({ taskIds: [taskId] })
    const { params } = await tab.pushed(taskId, 'input_required')
    const { inputRequests, status, lastUpdatedAt, ttlMs } = await tab.get(taskId)
    expect(params).toMatchObject({ inputRequests, status, lastUpdatedAt, ttlMs })
    expect(params._meta).toMatchObject({ [META.subscription]: id })
    await tab.update(taskId, { 'elicit#1': accept({ confirm: true }) })
    const done = await tab.pushed(taskId, 'completed')
    expect(done.params).toMatchObject({ result: { content: [{ text: 'Deleted f' }] } })
    const told = tab.raw.heard('notifications/tasks').map((heard) => Number(heard.params._meta?.['intab/revision']))
    expect(told).toEqual([...new Set(told)].sort((a, b) => a - b))
  })

  test('31 tells nothing of tasks that it did not name, and nothing after it was cancelled', async () => {
    const { tab } = await open()
    const [one, two] = [await tab.call('never'), await tab.call('never')]
    const { id } = await tab.listen({ taskIds: [one.taskId] })
    await tab.pushed(one.taskId, 'working')
    await tab.ok('tasks/cancel', { taskId: two.taskId })
    await tab.raw.notify('notifications/cancelled', { requestId: id })
    await tab.ok('tasks/cancel', { taskId: one.taskId })
    await tab.ok('tools/list')
    expect(tab.raw.heard('notifications/tasks').map(({ params }) => params['status'])).toEqual(['working'])
  })

  test('22 is re-established with the next worker, and acknowledged to the client once', async () => {
    const go = gate()
    const waits = toolOf('waits', () => go.opened.then(() => text('went')), { onInterrupt: 'resume' })
    const other = new World({ tools: [waits] })
    const listener = await modernTab(other)
    const { taskId } = await listener.call('waits')
    const { id } = await listener.listen({ taskIds: [taskId] })
    other.living().kill()
    go.open()
    expect((await listener.pushed(taskId, 'completed')).params._meta).toMatchObject({ [META.subscription]: id })
    expect(listener.raw.heard('notifications/subscriptions/acknowledged')).toHaveLength(1)
  })
})

describe('a task of one era in the other', () => {
  test('is asked of a tab of 2025-11-25 when the modern one goes', async () => {
    const world = new World({ tools: [confirmDelete], deliveryGrace: 0 })
    const modern = await modernTab(world)
    const { taskId } = await modern.call('confirm_delete', { filename: 'f' })
    await modern.until(taskId, 'input_required')
    const legacy = await rawTab(world, { capabilities: forms })
    modern.raw.crash()
    const question = await legacy.next('elicitation/create')
    await legacy.answer(question, { result: accept({ confirm: true }) })
    expect(await legacy.result(taskId)).toMatchObject({ content: [{ text: 'Deleted f' }] })
  })

  test('is not asked of a tab of 2025-11-25 while the modern one shows it', async () => {
    const world = new World({ tools: [confirmDelete], deliveryGrace: 0 })
    const modern = await modernTab(world, { can: forms })
    const legacy = await rawTab(world, { capabilities: forms })
    const { taskId } = await modern.call('confirm_delete', { filename: 'f' })
    const { id } = await modern.listen({ taskIds: [taskId] })
    await modern.pushed(taskId, 'input_required')
    await modern.update(taskId, { 'elicit#1': accept({ confirm: true }) })
    expect(await legacy.result(taskId)).toMatchObject({ content: [{ text: 'Deleted f' }] })
    expect(id).toBeDefined()
  })

  test('made in 2025-11-25 is answered by a modern tab when the legacy one goes, and the first answer wins', async () => {
    const world = new World({ tools: [confirmDelete], deliveryGrace: 60_000 })
    const legacy = await rawTab(world, { capabilities: forms })
    const { taskId } = await legacy.create('confirm_delete', { filename: 'f' })
    const waiting = legacy.ask('tasks/result', { taskId })
    const question = await legacy.next('elicitation/create')
    const modern = await modernTab(world)
    const { inputRequests } = await modern.until(taskId, 'input_required')
    expect(Object.keys(inputRequests)).toEqual(['elicit#1'])
    await modern.update(taskId, { 'elicit#1': accept({ confirm: true }) })
    await legacy.next('notifications/cancelled', ({ requestId }) => requestId === question.id)
    await legacy.answer(question, { result: { action: 'decline' } })
    expect((await waiting.response).result).toMatchObject({ content: [{ text: 'Deleted f' }] })
    expect((await modern.get(taskId)).result).toMatchObject({ content: [{ text: 'Deleted f' }] })
  })

  test('is listed, read and taken by what intab adds, in both', async () => {
    const world = new World({ tools: [confirmDelete], deliveryGrace: 60_000 })
    const modern = await modernTab(world)
    const { taskId } = await modern.call('confirm_delete', { filename: 'f' })
    await modern.until(taskId, 'input_required')
    // Its listen has ended, and with it what was shown by that.
    await modern.get(taskId)
    expect((await modern.ok('intab/tasks/list'))['tasks']).toMatchObject([{ taskId }])
    expect(await modern.ok('intab/tasks/read', { taskId })).toMatchObject({ task: { taskId } })
    const other = await modernTab(world)
    const [question] = (await other.ok('intab/questions/list'))['questions'] as { requestId: string; here: boolean }[]
    expect(question).toMatchObject({ taskId, here: false, shown: true })
    const taken = await other.ok('intab/questions/take', { requestId: question?.requestId })
    expect(taken).toMatchObject({ taskId, method: 'elicitation/create' })
    expect(other.raw.heard('elicitation/create')).toEqual([])
  })
})
