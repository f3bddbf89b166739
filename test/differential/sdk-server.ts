// The SDK's own task server: McpServer, InMemoryTaskStore and InMemoryTaskMessageQueue, written as its users do.

import type { ToolTaskHandler } from '@modelcontextprotocol/sdk/experimental/tasks/interfaces.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { InMemoryTaskMessageQueue, InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/index.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { type CallToolResult, ElicitResultSchema } from '@modelcontextprotocol/sdk/types.js'
import type * as z from 'zod'
import { type Ask, type ToolSpec, pollInterval, registerPlain, specs } from './tools.js'

export async function sdkServer(): Promise<{ transport: Transport; close(): Promise<void> }> {
  const taskStore = new InMemoryTaskStore()
  const server = new McpServer(
    { name: 'differential', version: '1.0.0' },
    {
      capabilities: { logging: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
      taskStore,
      taskMessageQueue: new InMemoryTaskMessageQueue()
    }
  )
  registerPlain(server)
  for (const spec of specs) register(server, spec)
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await server.connect(ours)
  return {
    transport: theirs,
    async close() {
      await server.close()
      taskStore.cleanup()
    }
  }
}

function register(server: McpServer, { name, taskSupport, inputSchema, run }: ToolSpec): void {
  const handler: ToolTaskHandler<z.ZodRawShape> = {
    async createTask(args, { taskStore, taskRequestedTtl, sendRequest }) {
      const task = await taskStore.createTask({ ttl: taskRequestedTtl ?? null, pollInterval })
      const { taskId } = task
      // The types leave out relatedTask, which the SDK's own tests cast in, too.
      const options: object = { relatedTask: { taskId } }
      const ask: Ask = (params) => sendRequest({ method: 'elicitation/create', params }, ElicitResultSchema, options)
      const finish = (result: CallToolResult): Promise<void> =>
        taskStore.storeTaskResult(taskId, result.isError ? 'failed' : 'completed', result)
      const failed = (error: Error): Promise<void> =>
        finish({ isError: true, content: [{ type: 'text', text: error.message }] })
      Promise.resolve()
        .then(() => run(args as Record<string, unknown>, ask))
        .then(finish, failed)
        // A store that was cancelled meanwhile refuses.
        .catch(() => undefined)
      return { task }
    },
    getTask: (_, { taskId, taskStore }) => taskStore.getTask(taskId),
    getTaskResult: async (_, { taskId, taskStore }) => (await taskStore.getTaskResult(taskId)) as CallToolResult
  }
  server.experimental.tasks.registerToolTask(name, { inputSchema, execution: { taskSupport } }, handler)
}
