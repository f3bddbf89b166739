// The client of this tab, over as many connections as the person makes it have.

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/cfworker'
import { type LinkState, WorkerTransport } from 'intab'

// The worker outlives a reload of the only tab where the browser can do that; all tabs must ask for the same.
const board = (): SharedWorker =>
  // The bundler finds a worker by this literal: https://vite.dev/guide/features.html#web-workers
  new SharedWorker(new URL('./worker/mcp.worker.ts', import.meta.url), {
    type: 'module',
    name: 'intab-board',
    extendedLifetime: true
  })

/** Where there is no SharedWorker, as in Chromium on Android, each tab has a worker of its own on the same rows. */
const boardOfTab = (): Worker =>
  new Worker(new URL('./worker/mcp.worker.ts', import.meta.url), { type: 'module', name: 'intab-board' })

const newClient = (name: string): Client =>
  new Client(
    { name, version: '1.0.0' },
    {
      capabilities: { elicitation: { form: {}, url: {} }, sampling: {} },
      // The SDK's own validator compiles code, which a strict Content-Security-Policy forbids.
      jsonSchemaValidator: new CfWorkerJsonSchemaValidator()
    }
  )

export class Connection {
  readonly client = newClient('intab-board')
  /** Called at each change. */
  onstate: (state: LinkState) => void = () => undefined
  /** Called whenever a worker serves this tab: at first, after its death, after the connection was dropped. */
  onserved: (event: { isNewSession: boolean }) => void = () => undefined
  /** Resolves once a worker has served this tab. */
  readonly connected: Promise<void>
  #onconnected: () => void = () => undefined
  #transport: WorkerTransport | undefined

  constructor() {
    this.connected = new Promise((resolve) => (this.#onconnected = resolve))
  }

  /** The generation of the worker; undefined while there is none. */
  get worker(): string | undefined {
    return this.#transport?.worker
  }

  get state(): LinkState {
    return this.#transport?.state ?? 'closed'
  }

  async connect(): Promise<void> {
    const transport = new WorkerTransport(board, { fallback: boardOfTab })
    let isNewSession = true
    transport.onstatechange = (state) => {
      this.onstate(state)
      if (state === 'connected' && !isNewSession) this.onserved({ isNewSession })
    }
    this.#transport = transport
    await this.client.connect(transport)
    this.onserved({ isNewSession })
    this.#onconnected()
    isNewSession = false
  }

  /** Leaves; tasks go on without this tab. */
  async disconnect(): Promise<void> {
    await this.client.close()
  }
}

/** Connects to another worker, of another script, on the same database. */
export async function connectToSecond(): Promise<{ client: Client; worker: string | undefined }> {
  const client = newClient('intab-board-second')
  const transport = new WorkerTransport(
    () =>
      new SharedWorker(new URL('./worker/second.worker.ts', import.meta.url), { type: 'module', name: 'intab-second' }),
    {
      fallback: () =>
        new Worker(new URL('./worker/second.worker.ts', import.meta.url), { type: 'module', name: 'intab-second' })
    }
  )
  await client.connect(transport)
  return { client, worker: transport.worker }
}
