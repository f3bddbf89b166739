// One client of one server, as a tab has it.

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/cfworker'
import { WorkerTransport } from 'intab'
import { aheadOf, now } from '../floors/clock.js'
import url from './server.worker.ts?worker&url'
import toolsUrl from './tools.worker.ts?worker&url'

export const newClient = (): Client =>
  new Client(
    { name: 'bench', version: '0.0.0' },
    { capabilities: { elicitation: { form: {} } }, jsonSchemaValidator: new CfWorkerJsonSchemaValidator() }
  )

export async function connect(transport: Transport): Promise<Client> {
  const client = newClient()
  await client.connect(transport)
  return client
}

/** The server of one URL; each `which` is a worker of its own, with task tools only where `script` is `tools`. */
export class Server {
  readonly which: string
  readonly database: string
  /** The worker's limit of this name. */
  readonly kept: number
  readonly #script: 'server' | 'tools'
  /** Of the worker's clock, once `synchronise` has resolved. */
  ahead = 0
  #worker: SharedWorker | undefined

  constructor(
    which: string,
    database: string,
    { kept = 1e7, script = 'server' }: { kept?: number; script?: 'server' | 'tools' } = {}
  ) {
    this.#script = script
    this.which = which
    this.database = database
    this.kept = kept
  }

  make(): SharedWorker {
    const script = this.#script === 'tools' ? toolsUrl : url
    return new SharedWorker(`${script}?server=${this.which}&database=${this.database}&kept=${this.kept}`, {
      type: 'module'
    })
  }

  /** Says something beside the protocol; resolves with the number of transactions so far, the worker's time or its longest turn. */
  side(command: 'release' | 'transactions' | 'clock' | 'longest' | 'close', taskId?: string): Promise<number> {
    this.#worker ??= this.make()
    const { port1, port2 } = new MessageChannel()
    this.#worker.port.start()
    this.#worker.port.postMessage({ side: command, taskId }, [port2])
    return new Promise((resolve) => {
      port1.onmessage = ({ data }: MessageEvent<number>) => {
        port1.close()
        resolve(data)
      }
    })
  }

  async synchronise(): Promise<void> {
    this.ahead = await aheadOf(() => this.side('clock'))
  }

  transport(): WorkerTransport {
    return new WorkerTransport(() => this.make())
  }

  async connect(): Promise<Client> {
    return connect(this.transport())
  }
}

/** Answers every question of a server at once; returns how long each took from the worker to here, newest last. */
export function answerAll(client: Client, server: Server): number[] {
  const shown: number[] = []
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    const at = now() + server.ahead
    shown.push(at - Number(params.message))
    return { action: 'accept', content: { at: now() + server.ahead } }
  })
  return shown
}

export const textOf = (result: { content: { type: string; text?: string }[] }): number =>
  Number(result.content[0]?.text)
