// The words of MCP 2026-07-28 that both ends of a connection say.

export const MODERN = '2026-07-28'

const prefix = 'io.modelcontextprotocol/'
export const META = {
  version: `${prefix}protocolVersion`,
  capabilities: `${prefix}clientCapabilities`,
  client: `${prefix}clientInfo`,
  server: `${prefix}serverInfo`,
  logLevel: `${prefix}logLevel`,
  immediate: `${prefix}model-immediate-response`,
  subscription: `${prefix}subscriptionId`
} as const

/** https://modelcontextprotocol.github.io/ext-tasks/specification/2026-07-28/tasks.html */
export const TASKS = `${prefix}tasks`

/** Filters of a listen that are intab's own: every task of the owner, and that named ones are deleted. */
export const ALL_TASKS = 'intab/tasks'
export const REMOVED = 'intab/removed'

/** In the `_meta` of a task: the keys of the questions that this connection shows. */
export const HERE = 'intab/here'
