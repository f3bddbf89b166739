// A tab that offers its server's tools to agents; the test calls them as an agent does, and answers as the user does.

import '../../../src/demo/jitless.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { type CallToolResult, ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js'
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/cfworker'
import { agentTools, listTasks, type TaskInfo, WorkerTransport } from 'intab'
import { lendTools } from 'intab/lend'
import { type OfferedTools, offerTools, pageTools } from 'intab/webmcp'

export interface WebMcpPage {
  offered: Promise<OfferedTools>
  statuses: TaskInfo[]
  errors: string[]
  /** Messages of the questions that are open. */
  questions(): string[]
  answer(action: ElicitResult['action']): void
  tasks(): Promise<TaskInfo[]>
  /** The text of the task's result. */
  resume(taskId: string): Promise<unknown>
  /** Registers `greet` and `plain` as a page does. */
  register(): Promise<void>
  /** Lends tools that the page registered. */
  lend(...names: string[]): Promise<unknown>
  call(name: string, args: Record<string, unknown>): Promise<CallToolResult>
}

interface ModelContext {
  registerTool(tool: object): Promise<void> | void
}

declare global {
  var webmcp: WebMcpPage
}

const open = new Map<string, (action: ElicitResult['action']) => void>()
const client = new Client(
  { name: 'webmcp', version: '0.0.0' },
  { capabilities: { elicitation: { form: {} } }, jsonSchemaValidator: new CfWorkerJsonSchemaValidator() }
)
client.setRequestHandler(
  ElicitRequestSchema,
  ({ params }, { signal }) =>
    new Promise<ElicitResult>((resolve) => {
      open.set(params.message, (action) => resolve({ action, ...(action === 'accept' && { content: {} }) }))
      signal.addEventListener('abort', () => open.delete(params.message))
    })
)
const statuses: TaskInfo[] = []
const errors: string[] = []
client.onerror = (error) => void errors.push(error.message)

const connected = client.connect(
  new WorkerTransport(
    () => new SharedWorker(new URL('./webmcp.worker.ts', import.meta.url), { type: 'module', name: 'webmcp' })
  )
)

globalThis.webmcp = {
  offered: connected.then(() =>
    offerTools(client, { tools: ({ name }) => name !== 'wipe', onstatus: (task) => void statuses.push(task) })
  ),
  statuses,
  errors,
  questions: () => [...open.keys()],
  answer(action) {
    for (const answer of open.values()) answer(action)
    open.clear()
  },
  tasks: async () => (await listTasks(client)).tasks,
  resume: async (taskId) => (await agentTools(client).resume(taskId)).content,
  async register() {
    const { modelContext } = document as unknown as { modelContext: ModelContext }
    const inputSchema = { type: 'object', properties: { who: { type: 'string' } }, required: ['who'] }
    const greet = ({ who }: { who: string }) => ({ content: [{ type: 'text', text: `Hello ${who}` }] })
    await modelContext.registerTool({ name: 'greet', description: 'Greets', inputSchema, execute: greet })
    const annotations = { readOnlyHint: true }
    await modelContext.registerTool({ name: 'plain', description: 'Is plain', annotations, execute: () => ({ a: 1 }) })
  },
  lend: async (...names) => void (await lendTools(client, await pageTools(names))),
  call: (name, args) => agentTools(client).call(name, args)
}
