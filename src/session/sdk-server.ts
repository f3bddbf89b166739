// One McpServer of the SDK per connection. It takes a new worker longer to evaluate than all the rest, so that only
// who imports it pays for it.

import type { ToolTaskHandler } from '@modelcontextprotocol/sdk/experimental/tasks/interfaces.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { type RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js'
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/cfworker'
import { IntabError, RPC, RpcError, toError } from '../errors.js'
import type { InnerServer } from './inner-server.js'
import {
  capabilities,
  duplicateTool,
  type InnerServers,
  type McpServerSetup,
  type Served,
  serverInfo,
  type SessionInfo
} from './options.js'
import { invalid, shown } from '../tool/check-options.js'
import { checkListable } from '../tool/schemas.js'
import type { JsonObject } from '../types.js'
import type { TaskTool } from '../tool/tool.js'

/**
 * For the option `setup` of `serve()`: plain tools, resources, prompts and anything else that an McpServer of the SDK can do,
 * registered for each session by `setup(server, session)`, which may be async. A tab whose session cannot be set up
 * is told `duplicate_tool` when `setup` registers a name that `tools` has, and `setup_failed` when it throws.
 *
 * @throws {IntabError} `invalid_options` when `setup` is not a function.
 */
export function mcpServer(setup: McpServerSetup): InnerServers {
  if (typeof setup !== 'function')
    throw invalid(`mcpServer() takes a function that gets the server (got ${shown(setup)})`)
  return { open: (served, session) => open(setup, served, session) }
}

async function open(setup: McpServerSetup, served: Served, session: SessionInfo): Promise<InnerServer> {
  const mcp = await makeServer(setup, served, session)
  const { server } = mcp
  return {
    get onerror() {
      return server.onerror
    },
    set onerror(listener) {
      if (listener === undefined) delete server.onerror
      else server.onerror = listener
    },
    // The SDK has no other way to what initialize tells.
    capabilities: () => server['getCapabilities']() as JsonObject,
    connect: (transport) => mcp.connect(transport),
    request(method, params) {
      const asked = { method, params } as Parameters<typeof server.request>[0]
      return server.request(asked, ResultSchema, asLongAsItTakes)
    },
    close: () => mcp.close()
  }
}

/** The SDK's own 60 s would end a person's thinking. */
const asLongAsItTakes: RequestOptions = { timeout: 2 ** 31 - 1 }

async function makeServer(setup: McpServerSetup, served: Served, session: SessionInfo): Promise<McpServer> {
  const { options, tools } = served
  const { instructions } = options
  const server = new McpServer(serverInfo(options), {
    capabilities,
    // The SDK's default validator generates code, which a strict Content-Security-Policy forbids.
    jsonSchemaValidator: new CfWorkerJsonSchemaValidator({ shortcircuit: false }),
    ...(instructions !== undefined && { instructions })
  })
  // Before setup: the SDK refuses a plain tool whose name is taken, but no task tool.
  for (const tool of tools.values()) reserve(server, tool)
  // The SDK answers tools/list and tools/call once a tool was registered; a server of none has those that tabs lend.
  if (tools.size === 0) server.registerTool('none', {}, () => ({ content: [] })).remove()
  checkPlainTools(server)
  try {
    await setup(server, session)
  } catch (error) {
    const taken = [...tools.keys()].find((tool) => toError(error).message === `Tool ${tool} is already registered`)
    if (taken !== undefined) throw duplicateTool(taken, error)
    if (error instanceof IntabError) throw error
    served.onerror(toError(error), 'setup of a session')
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
