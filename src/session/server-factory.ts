// One McpServer per connection, made from the host's definitions.

import type { ToolTaskHandler } from '@modelcontextprotocol/sdk/experimental/tasks/interfaces.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { IntabError, RPC, RpcError, toError } from '../errors.js'
import { validator } from './check-answer.js'
import type { Hub } from './hub.js'
import { duplicateTool, type SessionInfo } from './options.js'
import { checkListable } from '../tool/schemas.js'
import type { TaskTool } from '../tool/tool.js'

/** Throws `duplicate_tool` when `setup` defines a name that `tools` has, `setup_failed` when it throws anything else of its own. */
export async function makeServer(hub: Hub, session: SessionInfo): Promise<McpServer> {
  const { name, version, title, icons, websiteUrl, instructions, setup } = hub.options
  const server = new McpServer(
    { name, version, ...(title && { title }), ...(icons && { icons }), ...(websiteUrl && { websiteUrl }) },
    {
      capabilities: { logging: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
      // The SDK's default validator generates code, which a strict Content-Security-Policy forbids.
      jsonSchemaValidator: validator,
      ...(instructions !== undefined && { instructions })
    }
  )
  // Before setup: the SDK refuses a plain tool whose name is taken, but no task tool.
  for (const tool of hub.tools.values()) reserve(server, tool)
  checkPlainTools(server)
  try {
    await setup?.(server, session)
  } catch (error) {
    const taken = [...hub.tools.keys()].find((tool) => toError(error).message === `Tool ${tool} is already registered`)
    if (taken !== undefined) throw duplicateTool(taken, error)
    if (error instanceof IntabError) throw error
    hub.onerror(toError(error), 'setup of a session')
    throw new IntabError('setup_failed', `setup() of the server threw: ${toError(error).message}`, undefined, {
      cause: error
    })
  }
  return server
}

/** Takes the name, so that `setup` cannot; calls of these tools are answered before they reach the SDK. */
function reserve(server: McpServer, { name, config }: TaskTool): void {
  const never = (): never => {
    throw new RpcError(RPC.internal, `A call of ${name} went past intab`)
  }
  const handler: ToolTaskHandler = { createTask: never, getTask: never, getTaskResult: never }
  server.experimental.tasks.registerToolTask(name, { execution: { taskSupport: config.taskSupport } }, handler)
}

/** A schema that cannot be listed would make tools/list fail for every client, and only there. */
function checkPlainTools(server: McpServer): void {
  const register = server.registerTool.bind(server)
  const checked: typeof register = (name, config, handler) => {
    checkListable(`Tool ${name}: inputSchema`, config.inputSchema, 'input')
    checkListable(`Tool ${name}: outputSchema`, config.outputSchema, 'output')
    return register(name, config, handler)
  }
  server.registerTool = checked
}
