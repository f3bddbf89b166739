import type { TaskMessageQueue, TaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/interfaces.js'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { ProgressToken } from '@modelcontextprotocol/sdk/types.js'
import type { JsonObject } from '../types.js'

/** What the server itself was given: it shows neither. */
export interface TaskToolStores {
  store: TaskStore
  queue: TaskMessageQueue
}

/** One tools/call that became a task. */
export interface Call extends TaskToolStores {
  server: McpServer
  sessionId: string | undefined
  progressToken: ProgressToken | undefined
  /** `_meta` of the call, without what belongs to the protocol. */
  meta: JsonObject
}
