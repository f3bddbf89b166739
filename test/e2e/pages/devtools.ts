// An app that mounts the devtools beside itself.

import '../../../src/demo/jitless.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { type ElicitResult, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/cfworker'
import { runTask, WorkerTransport } from 'intab'
import { mountDevtools } from 'intab/devtools'
import url from './life.worker.ts?worker&url'

export interface DevtoolsApp {
  connected: Promise<void>
  unmount(): void
  /** Starts a task, and waits for its result without telling. */
  start(tool: string, args?: Record<string, unknown>): Promise<string>
  /** How many questions this tab was asked. */
  asked(): number
  /** Accepts all questions. */
  accept(): void
  worker(): string | undefined
  /** Whether anything is between the client and its transport. */
  tapped(): boolean
}

declare global {
  var inspected: DevtoolsApp
}

const client = new Client(
  { name: 'devtools', version: '0.0.0' },
  { capabilities: { elicitation: { form: {} } }, jsonSchemaValidator: new CfWorkerJsonSchemaValidator() }
)
let asked = 0
const open: ((result: ElicitResult) => void)[] = []
client.setRequestHandler(ElicitRequestSchema, () => {
  asked += 1
  return new Promise<ElicitResult>((resolve) => open.push(resolve))
})
const newTransport = () => new WorkerTransport(() => new SharedWorker(url, { type: 'module', name: 'life' }))
let transport = newTransport()
const { send } = transport
const connected = client.connect(transport)
const place = document.getElementById('devtools')
if (place === null) throw new Error('The page has no #devtools')

globalThis.inspected = {
  connected,
  unmount: mountDevtools(place, client, {
    connect() {
      transport = newTransport()
      return client.connect(transport)
    }
  }),
  async start(name, args = {}) {
    const run = await runTask(client, { name, arguments: args })
    run.result().catch(() => undefined)
    return run.taskId
  },
  asked: () => asked,
  accept: () => {
    for (const resolve of open.splice(0)) resolve({ action: 'accept', content: {} })
  },
  worker: () => transport.worker,
  tapped: () => transport.send !== send
}
