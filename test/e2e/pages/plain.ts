// A tab that calls plain tools with the SDK's own Client, through `globalThis.plain`.

import '../../../src/demo/jitless.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/cfworker'
import { WorkerTransport } from 'intab'

export interface Plain {
  /** The error of a call, as the client has it; undefined when it has none. */
  errorOf(name: string): Promise<{ code: number; data: unknown } | undefined>
}

declare global {
  var plain: Plain
}

const client = new Client(
  { name: 'plain', version: '0.0.0' },
  { jsonSchemaValidator: new CfWorkerJsonSchemaValidator() }
)
const connected = client.connect(
  new WorkerTransport(
    () => new SharedWorker(new URL('./plain.worker.ts', import.meta.url), { type: 'module', name: 'plain' })
  )
)

globalThis.plain = {
  async errorOf(name) {
    await connected
    return client.callTool({ name }).then(
      () => undefined,
      ({ code, data }: { code: number; data: unknown }) => ({ code, data })
    )
  }
}
