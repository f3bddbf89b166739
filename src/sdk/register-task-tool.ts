// The way off the browser: a task tool, unchanged, on a server that the SDK alone runs.

import type { ToolTaskHandler } from '@modelcontextprotocol/sdk/experimental/tasks/interfaces.js'
import * as z from 'zod'
import type { McpServer, RegisteredTool } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { IMMEDIATE_RESPONSE, RELATED_TASK } from '../session/project-task.js'
import type { TaskTool } from '../tool/tool.js'
import type { JsonObject } from '../types.js'
import { deliverAtPolls } from './plain-call.js'
import { runTaskTool } from './run-task-tool.js'
import type { Call, TaskToolStores } from './stored-task.js'

export type { TaskToolStores } from './stored-task.js'

/**
 * Registers a task tool on an McpServer that was given these stores as `taskStore` and `taskMessageQueue` and declares
 * `tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } }`. The stores may be anybody's. What the SDK's
 * interfaces cannot hold, a task here has not: a handler does not resume (`onInterrupt`, `step` and `sleep` remember
 * nothing over a restart), a coded error ends as an `isError` result, and tasks/result wakes by polling.
 * The SDK takes a second task tool of one name in place of the first, without a word: give each its own.
 */
export function registerTaskTool(server: McpServer, tool: TaskTool, { store, queue }: TaskToolStores): RegisteredTool {
  const input = rawArguments(tool)
  const handler: ToolTaskHandler<typeof input> = {
    async createTask(args, extra) {
      const { ttl = extra.taskRequestedTtl, pollInterval, immediateResponse } = tool.config
      const wishes = { ...(ttl !== undefined && { ttl }), ...(pollInterval !== undefined && { pollInterval }) }
      const task = await extra.taskStore.createTask(wishes)
      const { sessionId, requestId, _meta = {} } = extra
      const { progressToken, [RELATED_TASK]: _, ...meta } = _meta
      const call: Call = { server, store, queue, sessionId, progressToken, meta: meta as JsonObject }
      deliverAtPolls(extra.taskStore, call, task.taskId, requestId)
      runTaskTool(call, tool, args as JsonObject, task)
      return { task, ...(immediateResponse !== undefined && { _meta: { [IMMEDIATE_RESPONSE]: immediateResponse } }) }
    },
    // The SDK asks the store, never these: https://github.com/modelcontextprotocol/typescript-sdk/tree/v1.x
    getTask: (_args, { taskStore, taskId }) => taskStore.getTask(taskId),
    getTaskResult: async (_args, { taskStore, taskId }) => (await taskStore.getTaskResult(taskId)) as CallToolResult
  }
  const { title, description, annotations } = tool.listed
  const { outputSchema } = tool.config
  const listing = {
    inputSchema: input,
    execution: { taskSupport: tool.config.taskSupport },
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(outputSchema !== undefined && { outputSchema }),
    ...(annotations !== undefined && { annotations })
  }
  return server.experimental.tasks.registerToolTask(tool.name, listing, handler)
}

/**
 * Shows a tool's schema in tools/list, and lets the arguments through as they came. The tool parses them by itself: what
 * the SDK had parsed already would be transformed twice, and a refusal by the SDK reaches no client, since a call with
 * `task` must be answered with a task: https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#creating-tasks
 */
function rawArguments({ listed }: TaskTool): z.ZodObject {
  const { $schema: _, ...json } = listed.inputSchema
  return z.looseObject({}).meta(json)
}
