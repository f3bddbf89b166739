// The page of the conformance server: all it does is to be a tab.

import '../../../src/demo/jitless.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/cfworker'
import { WorkerTransport } from 'intab'

const client = new Client(
  { name: 'conformance-page', version: '0.0.0' },
  { jsonSchemaValidator: new CfWorkerJsonSchemaValidator() }
)
await client.connect(
  new WorkerTransport(
    () => new SharedWorker(new URL('./server.worker.ts', import.meta.url), { type: 'module', name: 'conformance' })
  )
)
document.title = 'connected'
