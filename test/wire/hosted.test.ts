// Questions that the client answers by a task of its own.

import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, test } from 'vitest'
import { runTask } from '../../src/index.js'
import { declined, form, hosting, hostTab, sampling, tools } from '../support/host-tab.js'
import { rawTab } from '../support/raw-tab.js'
import { gate, text } from '../support/tools.js'
import { World } from '../support/world.js'

describe('a question of a task that the client hosts as a task', () => {
  test('EL-04 HD-06 4.10 #3 of the user: the tool gets what that task came to', async () => {
    const end = gate()
    const world = new World({ tools })
    const { client, store } = await hostTab(world, end.opened)
    const run = await runTask(client, { name: 'elicits' })
    const result = run.result()
    await expect.poll(() => store.getAllTasks().length).toBe(1)
    expect(store.getAllTasks()[0]).toMatchObject({ status: 'working', ttl: 30_000 })
    expect(await client.experimental.tasks.getTask(run.taskId)).toMatchObject({ status: 'input_required' })
    end.open()
    expect(await result).toMatchObject(text('decline'))
    expect(store.getAllTasks()[0]).toMatchObject({ status: 'completed' })
  })

  test('EL-06 HD-05 of the model: likewise', async () => {
    const { client, store } = await hostTab(new World({ tools }))
    const run = await runTask(client, { name: 'samples' })
    expect(await run.result()).toMatchObject(text('Hello'))
    expect(store.getAllTasks()).toMatchObject([{ status: 'completed' }])
  })

  test('asks with `task` and follows tasks/result; an error there is the answer, in its own words', async () => {
    const raw = await rawTab(new World({ tools }), { capabilities: hosting })
    const { taskId } = await raw.create('elicits')
    const result = raw.ask('tasks/result', { taskId })
    const question = await raw.next('elicitation/create')
    expect(question.params.task).toEqual({ ttl: 30_000 })
    const now = new Date().toISOString()
    const task = { taskId: 'theirs', status: 'working', ttl: null, createdAt: now, lastUpdatedAt: now }
    await raw.answer(question, { result: { task } })
    const follow = await raw.next('tasks/result')
    expect(follow.params.taskId).toBe('theirs')
    expect((await raw.get(taskId)).status).toBe('input_required')
    await raw.answer(follow, { error: { code: -32055, message: 'The user left', data: { at: 1 } } })
    expect((await result.response).error).toEqual({ code: -32055, message: 'The user left', data: { at: 1 } })
  })

  test('N21 is taken at its word when it ignores `task` and answers plainly', async () => {
    const raw = await rawTab(new World({ tools }), { capabilities: hosting })
    const { taskId } = await raw.create('elicits')
    const result = raw.result(taskId)
    await raw.answer(await raw.next('elicitation/create'), { result: declined })
    expect(await result).toMatchObject(text('decline'))
    expect(raw.heard('tasks/result')).toEqual([])
  })

  test('is withdrawn with its task: the client is asked to cancel its own, and what it still sends is ignored', async () => {
    const end = gate()
    const { client, store } = await hostTab(new World({ tools }), end.opened)
    const run = await runTask(client, { name: 'elicits' })
    const result = run.result()
    await expect.poll(() => store.getAllTasks().length).toBe(1)
    await run.cancel()
    expect(await result).toMatchObject({ isError: true })
    await expect.poll(() => store.getAllTasks()[0]?.status).toBe('cancelled')
    end.open()
    expect((await client.experimental.tasks.getTask(run.taskId)).status).toBe('cancelled')
  })
})

describe('a plain tool of setup that asks a client which hosts tasks', () => {
  const world = (): World =>
    new World({
      setup: (server) => {
        const { tasks } = server.server.experimental
        server.registerTool('elicits', {}, async () => {
          const types: string[] = []
          for await (const message of tasks.elicitInputStream(form, { task: { ttl: 1000 } })) {
            types.push(message.type)
            if (message.type === 'result') types.push(message.result.action)
          }
          return text(types.join())
        })
        server.registerTool('samples', {}, async () => {
          const types: string[] = []
          for await (const { type } of tasks.createMessageStream(sampling, { task: { ttl: 1000 } })) types.push(type)
          return text(types.join())
        })
      }
    })

  test('EL-02 4.4 #18 elicits through a task: created first, the result last', async () => {
    const { client } = await hostTab(world())
    expect(await client.callTool({ name: 'elicits' })).toMatchObject({
      content: [{ text: expect.stringMatching(/^taskCreated,.*result,decline$/) }]
    })
  })

  test('EL-05 4.4 #7 samples through a task: created first, the result last', async () => {
    const { client } = await hostTab(world())
    expect(await client.callTool({ name: 'samples' })).toMatchObject({
      content: [{ text: expect.stringMatching(/^taskCreated,.*result$/) }]
    })
  })
})

describe('the server asks a client about the tasks that it hosts', () => {
  async function connected(hosts = true): Promise<{ server: McpServer['server']; ids: string[] }> {
    const servers: McpServer[] = []
    const world = new World({ setup: (made) => void servers.push(made) })
    const ids: string[] = []
    if (hosts) {
      const { store } = await hostTab(world)
      for (let i = 0; i < 3; i++) {
        const { taskId } = await store.createTask({ ttl: null }, i, { method: 'elicitation/create' })
        ids.push(taskId)
      }
      await store.storeTaskResult(ids[0] ?? '', 'completed', declined)
    } else await world.tab()
    const [server] = servers
    if (server === undefined) throw new Error('No session was opened')
    return { server: server.server, ids }
  }
  const ask = (server: McpServer['server'], method: string, params = {}) =>
    server.request({ method, params }, ResultSchema)

  test('HD-01 HD-02 4.9 #5 #6 #7 tasks/get and tasks/result answer with the task and its payload', async () => {
    const { server, ids } = await connected()
    expect(await ask(server, 'tasks/get', { taskId: ids[0] })).toMatchObject({ taskId: ids[0], status: 'completed' })
    expect(await ask(server, 'tasks/get', { taskId: ids[1] })).toMatchObject({ taskId: ids[1], status: 'working' })
    expect(await ask(server, 'tasks/result', { taskId: ids[0] })).toMatchObject(declined)
  })

  test('4.10 #4 #5 #6 #7 through the SDK as well: created, looked at, its result fetched, listed', async () => {
    const { server, ids } = await connected()
    const { tasks } = server.experimental
    const made: string[] = []
    for await (const message of tasks.elicitInputStream(form, { task: {} })) {
      if (message.type === 'taskCreated') made.push(message.task.taskId)
    }
    const [taskId = ''] = made
    expect(await tasks.getTask(taskId)).toMatchObject({ status: 'completed' })
    expect(await tasks.getTaskResult(taskId, ResultSchema)).toMatchObject(declined)
    expect((await tasks.listTasks()).tasks.map((task) => task.taskId)).toEqual([...ids, taskId])
  })

  test('HD-03 HD-04 4.9 #8 tasks/list has them all, tasks/cancel ends one', async () => {
    const { server, ids } = await connected()
    const { tasks } = (await ask(server, 'tasks/list')) as unknown as { tasks: { taskId: string }[] }
    expect(tasks.map(({ taskId }) => taskId)).toEqual(ids)
    expect(await ask(server, 'tasks/cancel', { taskId: ids[1] })).toMatchObject({ status: 'cancelled' })
  })

  test('4.9 #12 4.10 #10 an id that the client does not know is -32602', async () => {
    const { server } = await connected()
    for (const method of ['tasks/get', 'tasks/result']) {
      await expect(ask(server, method, { taskId: 'nothing' })).rejects.toMatchObject({ code: -32602 })
    }
  })

  test('HD-07 HD-08 HD-09 HD-10 a client that hosts none answers -32601', async () => {
    const { server } = await connected(false)
    for (const method of ['tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel']) {
      await expect(ask(server, method, { taskId: 'x' })).rejects.toMatchObject({ code: -32601 })
    }
  })
})
