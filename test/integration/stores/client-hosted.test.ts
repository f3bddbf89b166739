// A client that hosts tasks: it answers a question by a task of its own, which the server follows.

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { CreateTaskResultSchema, ElicitRequestSchema, ElicitResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { kinds } from './wire.js'

const question = {
  mode: 'form' as const,
  message: 'Your name?',
  requestedSchema: { type: 'object' as const, properties: { name: { type: 'string' as const } } }
}
const answer = { action: 'accept' as const, content: { name: 'Ada' } }

describe.each(kinds)('a client that hosts tasks, %s', (_kind, stores) => {
  async function connect() {
    const { store } = stores()
    const tasks = { list: {}, cancel: {}, requests: { elicitation: { create: {} } } }
    const client = new Client(
      { name: 'host', version: '1.0.0' },
      { capabilities: { elicitation: { form: {} }, tasks }, taskStore: store }
    )
    client.setRequestHandler(ElicitRequestSchema, async ({ params }, { taskStore }) => {
      if (params.task === undefined || taskStore === undefined) return answer
      const task = await taskStore.createTask({ ttl: params.task.ttl ?? null, pollInterval: 5 })
      await taskStore.storeTaskResult(task.taskId, 'completed', answer)
      return { task }
    })
    const server = new McpServer({ name: 'asks', version: '1.0.0' }, { capabilities: {} })
    const [a, b] = InMemoryTransport.createLinkedPair()
    await Promise.all([server.connect(a), client.connect(b)])
    onTestFinished(() => client.close())
    return { server: server.server, tasks: server.server.experimental.tasks }
  }

  const ask = async ({ server }: Awaited<ReturnType<typeof connect>>) => {
    const params = { ...question, task: { ttl: 60_000 } }
    return (await server.request({ method: 'elicitation/create', params }, CreateTaskResultSchema)).task
  }

  it('4.9 elicitation creates a task on the client · 4.10 its status and result are readable there', async () => {
    const server = await connect()
    const { taskId } = await ask(server)
    expect(await server.tasks.getTask(taskId)).toMatchObject({ taskId, status: 'completed', ttl: 60_000 })
    expect(await server.tasks.getTaskResult(taskId, ElicitResultSchema)).toMatchObject(answer)
  })

  it('4.9 the server lists them, three with pagination · 4.10 list', async () => {
    const server = await connect()
    const ids: string[] = []
    for (let n = 0; n < 3; n += 1) ids.push((await ask(server)).taskId)
    const page = await server.tasks.listTasks()
    expect(page.tasks.map(({ taskId }) => taskId)).toEqual(ids)
    expect((await server.tasks.listTasks(ids[0])).tasks).toHaveLength(2)
  })

  it('4.9 unknown id for getTask and getTaskResult is an error · 4.10 also from the server', async () => {
    const server = await connect()
    await expect(server.tasks.getTask('none')).rejects.toMatchObject({ code: -32602 })
    await expect(server.tasks.getTaskResult('none', ElicitResultSchema)).rejects.toMatchObject({ code: -32602 })
  })

  it('4.4 elicitInputStream with task: taskCreated first, result last with content', async () => {
    const server = await connect()
    const messages: { type: string; result?: unknown }[] = []
    for await (const message of server.tasks.elicitInputStream(question, { task: { ttl: 60_000 } }))
      messages.push(message)
    expect(messages[0]).toMatchObject({ type: 'taskCreated' })
    expect(messages.at(-1)).toMatchObject({ type: 'result', result: answer })
  })
})
