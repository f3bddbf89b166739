// What a user would pick instead: the SDK's own task store and queue, at their default poll interval.

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import {
  InMemoryTaskMessageQueue,
  InMemoryTaskStore
} from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { CallToolResultSchema, CreateTaskResultSchema } from '@modelcontextprotocol/sdk/types.js'
import type { Act } from '../pages/race.js'

/** From the end of a task to the answer of tasks/result, for ends at any moment of the poll interval. */
export async function inMemoryFinish(): Promise<Act> {
  const taskStore = new InMemoryTaskStore()
  const server = new McpServer(
    { name: 'memory', version: '0.0.0' },
    {
      capabilities: { tasks: { requests: { tools: { call: {} } } } },
      taskStore,
      taskMessageQueue: new InMemoryTaskMessageQueue()
    }
  )
  server.experimental.tasks.registerToolTask(
    'hold',
    { execution: { taskSupport: 'required' } },
    {
      createTask: async ({ taskStore: store }) => ({ task: await store.createTask({}) }),
      getTask: async (extra) => extra.taskStore.getTask(extra.taskId),
      getTaskResult: async (extra) => CallToolResultSchema.parse(await extra.taskStore.getTaskResult(extra.taskId))
    }
  )
  const client = new Client({ name: 'memory', version: '0.0.0' })
  const [near, far] = InMemoryTransport.createLinkedPair()
  await server.connect(far)
  await client.connect(near)

  return async () => {
    const params = { name: 'hold', arguments: {}, task: {} }
    const { task } = await client.request({ method: 'tools/call', params }, CreateTaskResultSchema)
    const request = { method: 'tasks/result' as const, params: { taskId: task.taskId } }
    const result = client.request(request, CallToolResultSchema)
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 1000))
    const start = performance.now()
    await taskStore.storeTaskResult(task.taskId, 'completed', { content: [] })
    await result
    return performance.now() - start
  }
}
