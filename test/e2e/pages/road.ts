// A tab with the SDK's own Client and no interface: tests drive it through `globalThis.road`.

import '../../../src/demo/jitless.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { ElicitResult, Task } from '@modelcontextprotocol/sdk/types.js'
import { CallToolResultSchema, CreateTaskResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/cfworker'
import { WorkerTransport } from 'intab'

export interface Road {
  /** Every question that this tab was asked, oldest first. */
  questions: string[]
  connected: Promise<void>
  callTool(name: string, args: Record<string, unknown>): Promise<Task>
  taskResult(taskId: string): Promise<unknown>
  /** Answers the oldest question that is still open. */
  answer(result: ElicitResult): void
}

declare global {
  var road: Road
}

const client = new Client(
  { name: 'road', version: '0.0.0' },
  { capabilities: { elicitation: { form: {} } }, jsonSchemaValidator: new CfWorkerJsonSchemaValidator() }
)
const questions: string[] = []
const open: ((result: ElicitResult) => void)[] = []

client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
  questions.push(params.message)
  return new Promise<ElicitResult>((resolve) => open.push(resolve))
})

const transport = new WorkerTransport(
  () => new SharedWorker(new URL('./road.worker.ts', import.meta.url), { type: 'module', name: 'road' })
)

globalThis.road = {
  questions,
  connected: client.connect(transport),
  async callTool(name, args) {
    const params = { name, arguments: args, task: {} }
    return (await client.request({ method: 'tools/call', params }, CreateTaskResultSchema)).task
  },
  taskResult: (taskId) => client.request({ method: 'tasks/result', params: { taskId } }, CallToolResultSchema),
  answer: (result) => open.shift()?.(result)
}
