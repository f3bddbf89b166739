// What the SDK's protocol puts into a queue and takes out of it.

import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { EmptyResultSchema, RELATED_TASK_META_KEY } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, it, vi } from 'vitest'
import { create, request, text } from '../../contract/sdk-stores-harness.js'
import { kinds, taskResult, wire } from './wire.js'

const related = (taskId: string) => ({ relatedTask: { taskId } })
const message = (data: unknown, meta?: object) => ({
  method: 'notifications/message' as const,
  params: { level: 'info' as const, data, ...(meta && { _meta: { ...meta } }) }
})

/** Sends a ping of the server's own; the promise is watched from the start. */
function ping(server: McpServer, taskId?: string, meta?: object) {
  const params = meta ? { params: { _meta: { ...meta } } } : {}
  const sent = server.server.request({ method: 'ping', ...params }, EmptyResultSchema, taskId ? related(taskId) : {})
  sent.catch(() => undefined)
  return sent
}

describe.each(kinds)('the queue behind a server, %s', (_kind, stores) => {
  it('4.7 notifications: related → queued with meta · task id taken from it · foreign meta keys kept', async () => {
    const { store, queue } = stores()
    const { server, client } = await wire({ store, queue })
    await server.server.notification(message(1, { 'a/b': 2 }), related('any id'))
    const queued = await queue.dequeue('any id')
    expect(queued).toEqual({
      type: 'notification',
      timestamp: expect.any(Number) as number,
      message: {
        jsonrpc: '2.0',
        method: 'notifications/message',
        params: { level: 'info', data: 1, _meta: { 'a/b': 2, [RELATED_TASK_META_KEY]: { taskId: 'any id' } } }
      }
    })
    expect(client.told).toEqual([])
  })

  it('4.7 notifications: unrelated not queued · order of five kept', async () => {
    const { store, queue } = stores()
    const { server, client } = await wire({ store, queue })
    await server.server.notification(message('plain'))
    for (const n of [1, 2, 3, 4, 5]) await server.server.notification(message(n), related('t'))
    const left = await queue.dequeueAll('t')
    expect(left.map((one) => (one.message as unknown as ReturnType<typeof message>).params.data)).toEqual([
      1, 2, 3, 4, 5
    ])
    await vi.waitFor(() => expect(client.told).toMatchObject([message('plain')]))
  })

  it('4.7 the 101st notification and the 101st request over a limit of 100 reject, the task is untouched', async () => {
    const { store, queue } = stores()
    const { server } = await wire({ store, queue, maxTaskQueueSize: 100 })
    const task = await create(store)
    for (let n = 0; n < 100; n += 1) await server.server.notification(message(n), related(task.taskId))
    const overflow = 'Task message queue overflow: queue size (100) exceeds maximum (100)'
    await expect(server.server.notification(message(100), related(task.taskId))).rejects.toThrow(overflow)
    await expect(ping(server, task.taskId)).rejects.toThrow(overflow)
    expect(await store.getTask(task.taskId)).toEqual(task)
    expect(await queue.dequeueAll(task.taskId)).toHaveLength(100)
  })

  it('4.7 requests: related → queued with meta, nothing sent · foreign meta keys kept · unrelated sent', async () => {
    const { store, queue } = stores()
    const { server } = await wire({ store, queue })
    await expect(ping(server)).resolves.toEqual({})
    const pending = ping(server, 't', { 'a/b': 2 })
    const [queued] = await queue.dequeueAll('t')
    expect(queued).toMatchObject({
      type: 'request',
      message: { method: 'ping', params: { _meta: { 'a/b': 2, [RELATED_TASK_META_KEY]: { taskId: 't' } } } }
    })
    await expect(Promise.race([pending, Promise.resolve('not sent')])).resolves.toBe('not sent')
  })

  it('4.7 messages of two tasks are kept apart, several on one in order, requests among notifications', async () => {
    const { store, queue } = stores()
    const { server } = await wire({ store, queue })
    await server.server.notification(message(1), related('a'))
    ping(server, 'b').catch(() => undefined)
    ping(server, 'a').catch(() => undefined)
    await server.server.notification(message(2), related('a'))
    expect((await queue.dequeueAll('a')).map(({ type }) => type)).toEqual(['notification', 'request', 'notification'])
    expect((await queue.dequeueAll('b')).map(({ type }) => type)).toEqual(['request'])
  })

  it('4.7 a reply, a thrown error and MethodNotFound to a related request are queued, to another sent', async () => {
    const { store, queue } = stores()
    const { client } = await wire({ store, queue })
    const ask = (method: string, params: object, taskId?: string) => {
      const _meta = taskId ? { [RELATED_TASK_META_KEY]: { taskId } } : {}
      const sent = client.request({ method, params: { ...params, _meta } }, EmptyResultSchema)
      sent.catch(() => undefined)
      return sent
    }
    ask('ping', {}, 'reply').catch(() => undefined)
    ask('tasks/get', { taskId: 'none' }, 'error').catch(() => undefined)
    ask('no/such', {}, 'unknown').catch(() => undefined)
    await expect(ask('ping', {})).resolves.toEqual({})
    await expect(ask('no/such', {})).rejects.toMatchObject({ code: -32601 })
    await vi.waitFor(async () =>
      expect(await queue.dequeue('reply')).toMatchObject({ type: 'response', message: { result: {} } })
    )
    await vi.waitFor(async () =>
      expect(await queue.dequeue('error')).toMatchObject({ type: 'error', message: { error: { code: -32602 } } })
    )
    await vi.waitFor(async () =>
      expect(await queue.dequeue('unknown')).toMatchObject({ type: 'error', message: { error: { code: -32601 } } })
    )
  })
})

describe.each(kinds)('tasks/result takes from the queue, %s', (_kind, stores) => {
  it('4.7 tasks/result on completed delivers in order what is queued, and empties the queue', async () => {
    const { store, queue } = stores()
    const { server, client } = await wire({ store, queue })
    const { taskId } = await create(store)
    for (const n of [1, 2, 3]) await server.server.notification(message(n), related(taskId))
    const answer = ping(server, taskId)
    await store.storeTaskResult(taskId, 'completed', text('done'))
    expect(await taskResult(client, taskId)).toMatchObject(text('done'))
    expect(client.told.map(({ params }) => params?.['data'])).toEqual([1, 2, 3])
    await expect(answer).resolves.toEqual({})
    expect(await queue.dequeueAll(taskId)).toEqual([])
  })

  it('4.7 a response entry resolves its request · an error entry rejects with McpError, its data kept', async () => {
    const { store, queue } = stores()
    const { server, client, errors } = await wire({ store, queue })
    const { taskId } = await create(store)
    const [resolved, rejected] = [ping(server, taskId), ping(server, taskId)]
    const ids = (await queue.dequeueAll(taskId)).map((one) => ('id' in one.message ? (one.message.id ?? -1) : -1))
    const error = { code: -32_050, message: 'no', data: { shelf: 3 } }
    await queue.enqueue(taskId, {
      type: 'response',
      timestamp: 1,
      message: { jsonrpc: '2.0', id: ids[0] ?? 0, result: {} }
    })
    await queue.enqueue(taskId, { type: 'error', timestamp: 2, message: { jsonrpc: '2.0', id: ids[1] ?? 0, error } })
    await store.storeTaskResult(taskId, 'completed', text('done'))
    await taskResult(client, taskId)
    await expect(resolved).resolves.toEqual({})
    await expect(rejected).rejects.toMatchObject({ code: -32_050, data: { shelf: 3 } })
    expect(errors).toEqual([])
  })

  it('4.7 missing resolvers: unknown ids are reported, processing goes on, nothing is thrown', async () => {
    const { store, queue } = stores()
    const { server, client, errors } = await wire({ store, queue })
    const { taskId } = await create(store)
    const error = { code: -1, message: 'no' }
    await queue.enqueue(taskId, { type: 'response', timestamp: 1, message: { jsonrpc: '2.0', id: 901, result: {} } })
    await queue.enqueue(taskId, { type: 'error', timestamp: 2, message: { jsonrpc: '2.0', id: 902, error } })
    await server.server.notification(message('after'), related(taskId))
    await store.storeTaskResult(taskId, 'completed', text('done'))
    expect(await taskResult(client, taskId)).toMatchObject(text('done'))
    expect(errors.map((one) => one.message).join()).toMatch(/901.*902/)
    expect(client.told).toMatchObject([{ params: { data: 'after' } }])
  })

  it('4.7 cancel empties the queue and rejects three queued requests with -32603; one of nobody is reported', async () => {
    const { store, queue } = stores()
    const { server, client, errors } = await wire({ store, queue })
    const { taskId } = await create(store)
    const pending = [ping(server, taskId), ping(server, taskId), ping(server, taskId)]
    await queue.enqueue(taskId, request(903))
    await client.experimental.tasks.cancelTask(taskId)
    for (const one of pending) await expect(one).rejects.toMatchObject({ code: -32603 })
    expect(await queue.dequeueAll(taskId)).toEqual([])
    await vi.waitFor(() => expect(errors.map((one) => one.message).join()).toContain('903'))
  })

  it('4.7 after failed, tasks/result delivers what is left and clears the rest: nothing stays', async () => {
    const { store, queue } = stores()
    const { server, client } = await wire({ store, queue })
    const { taskId } = await create(store)
    await server.server.notification(message('why'), related(taskId))
    await store.storeTaskResult(taskId, 'failed', { ...text('no'), isError: true })
    expect(await taskResult(client, taskId)).toMatchObject({ isError: true })
    expect(client.told).toHaveLength(1)
    expect(await queue.dequeueAll(taskId)).toEqual([])
  })
})
