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
