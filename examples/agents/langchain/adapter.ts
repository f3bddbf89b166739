import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { loadMcpTools } from '@langchain/mcp-adapters'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { WorkerTransport } from 'intab'
import { createAgent } from 'langchain'
import { askUser, files, type Run } from '../shared/page.js'

export async function connect(model: BaseChatModel): Promise<Record<string, Run>> {
  const client = new Client({ name: 'agent', version: '1.0.0' }, { capabilities: { elicitation: { form: {} } } })
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => askUser(params.message))
  await client.connect(new WorkerTransport(files))
  // The default is the SDK's: 60 s. People think longer.
  const tools = await loadMcpTools('files', client, { defaultToolTimeout: 2 ** 31 - 1 })
  const agent = createAgent({ model, tools })
  return {
    async Generate(prompt, signal) {
      const { messages } = await agent.invoke({ messages: [{ role: 'user', content: prompt }] }, { signal })
      return messages.at(-1)?.text ?? ''
    }
  }
}
