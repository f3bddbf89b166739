// A plain server and client of the SDK's, joined in one process, over stores that implement the SDK's interfaces.

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import {
  InMemoryTaskMessageQueue,
  InMemoryTaskStore
} from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import {
  CallToolResultSchema,
  type CallToolResult,
  type ClientCapabilities,
  CreateTaskResultSchema,
  ElicitRequestSchema,
  type ElicitRequest,
  type ElicitResult,
  type Notification,
  type Task,
  TaskStatusNotificationSchema
} from '@modelcontextprotocol/sdk/types.js'
import { onTestFinished } from 'vitest'
import type { TaskTool } from '../../../src/tool/tool.js'
import { registerTaskTool, type TaskToolStores } from '../../../src/stores.js'
import { freshName, openQueue, openStore } from '../../unit/stores/fixture.js'

/** Ours and the SDK's own: whatever holds on the wire must hold with both. */
export const kinds: [string, () => TaskToolStores][] = [
  [
    'IndexedDB',
    () => {
      const name = freshName()
      return { store: openStore({ name }), queue: openQueue({ name }) }
    }
  ],
  [
    'in memory',
    () => {
      const store = new InMemoryTaskStore()
      onTestFinished(() => store.cleanup())
      return { store, queue: new InMemoryTaskMessageQueue() }
    }
  ]
]

export type Answer = (params: ElicitRequest['params'], signal: AbortSignal) => ElicitResult | Promise<ElicitResult>

export interface WireOptions extends TaskToolStores {
  tools?: TaskTool[]
  capabilities?: ClientCapabilities
  maxTaskQueueSize?: number
  onelicit?: Answer
}

export function makeServer({ store, queue, tools = [], maxTaskQueueSize }: WireOptions): McpServer {
  const server = new McpServer(
    { name: 'wire', version: '1.0.0' },
    {
      capabilities: { logging: {}, tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
      taskStore: store,
      taskMessageQueue: queue,
      ...(maxTaskQueueSize !== undefined && { maxTaskQueueSize })
    }
  )
  for (const tool of tools) registerTaskTool(server, tool, { store, queue })
  return server
}

/** With what it was told: the states of tasks, every notification, oldest first. */
export interface Told extends Client {
  states: Task[]
  told: Notification[]
}

export function makeClient({ capabilities, onelicit }: Partial<WireOptions>): Told {
  const declared = { ...(onelicit && { elicitation: { form: {} } }), ...capabilities }
  const client = Object.assign(new Client({ name: 'wire', version: '1.0.0' }, { capabilities: declared }), {
    states: [] as Task[],
    told: [] as Notification[]
  })
  if (onelicit) client.setRequestHandler(ElicitRequestSchema, ({ params }, { signal }) => onelicit(params, signal))
  client.setNotificationHandler(TaskStatusNotificationSchema, ({ params }) => void client.states.push(params))
  client.fallbackNotificationHandler = async (notification) => void client.told.push(notification)
  return client
}

export async function wire(options: WireOptions): Promise<{ server: McpServer; client: Told; errors: Error[] }> {
  const server = makeServer(options)
  const client = makeClient(options)
  const errors: Error[] = []
  server.server.onerror = (error) => errors.push(error)
  const [a, b] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(a), client.connect(b)])
  onTestFinished(() => client.close())
  return { server, client, errors }
}

/** Calls a tool as a task. */
export async function callAsTask(client: Client, name: string, args: object = {}, task: object = {}): Promise<Task> {
  const params = { name, arguments: { ...args }, task }
  return (await client.request({ method: 'tools/call', params }, CreateTaskResultSchema)).task
}

export const taskResult = (client: Client, taskId: string): Promise<CallToolResult> =>
  client.request({ method: 'tasks/result', params: { taskId } }, CallToolResultSchema)

/** Polls as fast as the machine allows, since the SDK's tasks/result wakes by polling. */
export const fast = { pollInterval: 5 }

export const ask = {
  message: 'Sure?',
  requestedSchema: { type: 'object' as const, properties: { sure: { type: 'boolean' as const } }, required: ['sure'] }
}
