// What an app writes, compiled against the packed package under every strict flag: see scripts/package/types.mjs.

import { createMCPClient, type MCPClient, type MCPTransport } from '@ai-sdk/mcp'
import { Client as ClientV2 } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { type CallToolResult, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { agentTools, followTask, runTask, WorkerTransport, type TaskInfo } from 'intab'
import { mountDevtools } from 'intab/devtools'
import { lendTools } from 'intab/lend'
import { mcpServer } from 'intab/mcp-server'
import { type Mcp, mcp, PageTransport } from 'intab/testing'
import { taskTool, type TaskTool } from 'intab/tool'
import { intab } from 'intab/vite'
import { offerTools } from 'intab/webmcp'
import { serve } from 'intab/worker'
import type { UserConfig } from 'vite'
import * as z from 'zod'

export const transport = (): WorkerTransport =>
  new WorkerTransport(() => new SharedWorker(new URL('./tools.worker.js', import.meta.url), { type: 'module' }))

export const forV1: Transport = transport()
export const forAiSdk: MCPTransport = transport()

export async function clientV1(): Promise<Client> {
  const client = new Client({ name: 'v1', version: '1.0.0' }, { capabilities: { elicitation: { form: {} } } })
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({
    action: 'accept',
    content: { confirm: params.message !== '' }
  }))
  await client.connect(transport())
  return client
}

export async function clientV2(): Promise<ClientV2> {
  const client = new ClientV2({ name: 'v2', version: '1.0.0' })
  await client.connect(transport())
  return client
}

/** Either SDK's, without a cast. */
export async function usePage(client: Client | ClientV2, element: Element): Promise<() => void> {
  await lendTools(client, [{ name: 'title', run: () => ({ content: [{ type: 'text', text: document.title }] }) }])
  return mountDevtools(element, client)
}

export const clientOfAiSdk = (): Promise<MCPClient> => createMCPClient({ transport: transport() })

export async function useTasks(client: Client, signal: AbortSignal): Promise<[TaskInfo[], CallToolResult]> {
  const run = await runTask(client, { name: 'confirm_delete', arguments: { filename: 'a.txt' } }, { signal })
  const states: TaskInfo[] = []
  for await (const task of run) states.push(task)
  const again = await followTask(client, run.taskId)
  await agentTools(client).call('confirm_delete', { filename: 'b.txt' }, { signal })
  await offerTools(client, { tools: ['confirm_delete'], signal })
  return [states, await again.result()]
}

export const confirmDelete: TaskTool = taskTool(
  'confirm_delete',
  { inputSchema: { filename: z.string() }, taskSupport: 'optional' },
  async ({ filename }, task) => {
    const { content } = await task.elicit({
      message: `Delete ${filename}?`,
      requestedSchema: { type: 'object', properties: { confirm: { type: 'boolean' } }, required: ['confirm'] }
    })
    return { content: [{ type: 'text', text: content?.['confirm'] === true ? 'Deleted' : 'Kept' }] }
  }
)

serve({
  name: 'files',
  version: '1.0.0',
  tools: [confirmDelete],
  setup: mcpServer((server) => {
    server.registerTool('add', { inputSchema: { a: z.number() } }, ({ a }) => ({
      content: [{ type: 'text', text: String(a) }]
    }))
  })
})

export const config: UserConfig = { plugins: [intab()] }
export const fixture: { mcp: typeof mcp } = { mcp }
export const inPage = (page: ConstructorParameters<typeof PageTransport>[0]): PageTransport => new PageTransport(page)
export type { Mcp }
