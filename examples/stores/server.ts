// A task server in the SDK's own way of writing one. One line differs:
//
//   const taskStore = new InMemoryTaskStore()

import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { IndexedDbTaskStore } from 'intab/stores'
import * as z from 'zod'

const taskStore = new IndexedDbTaskStore({ name: 'tea-house' })

export const server = new McpServer(
  { name: 'tea-house', version: '1.0.0' },
  { capabilities: { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }, taskStore }
)

server.experimental.tasks.registerToolTask(
  'brew',
  { description: 'Brews tea', inputSchema: { tea: z.string() }, execution: { taskSupport: 'required' } },
  {
    async createTask({ tea }, { taskStore: tasks, taskRequestedTtl: ttl = null }) {
      const task = await tasks.createTask({ ttl, pollInterval: 250 })
      setTimeout(() => {
        const result = { content: [{ type: 'text' as const, text: `A pot of ${tea}` }] }
        tasks.storeTaskResult(task.taskId, 'completed', result).catch(reportError)
      }, 500)
      return { task }
    },
    getTask: (_args, { taskStore: tasks, taskId }) => tasks.getTask(taskId),
    async getTaskResult(_args, { taskStore: tasks, taskId }) {
      return { content: [], ...(await tasks.getTaskResult(taskId)) }
    }
  }
)
