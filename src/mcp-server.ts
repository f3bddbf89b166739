// "intab/mcp-server": plain tools, resources and prompts beside a server's task tools, by the SDK's McpServer.

export { mcpServer } from './session/sdk-server.js'
export type { McpServerSetup } from './session/options.js'
