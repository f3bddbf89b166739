import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { Agent, type MCPServer, type Model, run } from '@openai/agents'
import { agentTools, WorkerTransport } from 'intab'
import { askUser, files, type Run } from '../shared/page.js'

export async function connect(model: Model): Promise<Record<string, Run>> {
  const client = new Client({ name: 'agent', version: '1.0.0' }, { capabilities: { elicitation: { form: {} } } })
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => askUser(params.message))
  await client.connect(new WorkerTransport(files))
  const tools = agentTools(client)
  const server: MCPServer = {
    name: 'files',
    cacheToolsList: false,
    connect: async () => undefined,
    close: async () => undefined,
    invalidateToolsCache: async () => undefined,
    listTools: async () => (await tools.list()) as Awaited<ReturnType<MCPServer['listTools']>>,
    callTool: async (name, args, _meta, options) =>
      (await tools.call(name, args ?? {}, { signal: options?.signal })).content
  }
  const agent = new Agent({ name: 'files', model, mcpServers: [server] })
  return { Generate: async (prompt, signal) => String((await run(agent, prompt, { signal })).finalOutput) }
}
