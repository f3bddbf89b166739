import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { type AnyTextAdapter, chat, toolDefinition } from '@tanstack/ai'
import { agentTools, WorkerTransport } from 'intab'
import { askUser, files, type Run } from '../shared/page.js'

export async function connect(adapter: AnyTextAdapter): Promise<Record<string, Run>> {
  const client = new Client({ name: 'agent', version: '1.0.0' }, { capabilities: { elicitation: { form: {} } } })
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => askUser(params.message))
  await client.connect(new WorkerTransport(files))
  const { list, call } = agentTools(client)
  const listed = await list()
  return {
    async Generate(prompt, signal, abortController) {
      const tools = listed.map(({ name, description = name, inputSchema }) =>
        toolDefinition({ name, description, inputSchema }).server((args) =>
          call(name, { ...(args as object) }, { signal })
        )
      )
      const messages = [{ role: 'user' as const, content: prompt }]
      return await chat({ adapter, tools, messages, stream: false, abortController })
    }
  }
}
