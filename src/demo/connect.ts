// The client of this tab, and what it can be asked.

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { CreateMessageRequestSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/cfworker'
import { WorkerTransport } from 'intab'
import { askForm, askModel } from './questions.js'

export interface Connection {
  client: Client
  transport: WorkerTransport
}

/** Makes the client and its transport; `client.connect(transport)` is left to the caller. */
export function makeConnection(): Connection {
  const client = new Client(
    { name: 'intab-demo', version: '0.0.0' },
    {
      capabilities: { elicitation: { form: {} }, sampling: {} },
      // The SDK's own validator compiles code, which a strict Content-Security-Policy forbids.
      jsonSchemaValidator: new CfWorkerJsonSchemaValidator()
    }
  )
  client.setRequestHandler(ElicitRequestSchema, async ({ params }, { signal }) => {
    if (params.mode === 'url') throw new Error('This client declared elicitation by form only')
    return askForm(params, signal)
  })
  client.setRequestHandler(CreateMessageRequestSchema, ({ params }, { signal }) => askModel(params, signal))
  const transport = new WorkerTransport(
    () =>
      // The bundler finds the worker by this literal: https://vite.dev/guide/features.html#web-workers
      new SharedWorker(new URL('./worker/mcp.worker.ts', import.meta.url), { type: 'module', name: 'intab-demo' })
  )
  return { client, transport }
}
