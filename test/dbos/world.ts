// Server processes over one database, and clients of them.
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js'
import { expect } from 'vitest'

/** Milliseconds: only a machine under load comes near. */
const patience = 60_000

export class ServerProcess {
  readonly #databaseUrl: string
  #child: ChildProcess | undefined
  #starting: Promise<void> | undefined
  #gone: Promise<number | null> = Promise.resolve(0)
  /** What it said, of all its lives. */
  readonly lines: string[] = []
  url = new URL('http://127.0.0.1')

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl
  }

  /** Resolves when it serves; does nothing while it runs. */
  start(): Promise<void> {
    this.#starting ??= this.#start()
    return this.#starting
  }

  async #start(): Promise<void> {
    const env = { ...process.env, DATABASE_URL: this.#databaseUrl }
    const child = spawn(process.execPath, ['test/dbos/server.mjs'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    this.#child = child
    this.#gone = new Promise((resolve) =>
      child.once('exit', (code) => {
        this.#child = undefined
        this.#starting = undefined
        resolve(code)
      })
    )
    const port = await new Promise<string>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`The server ended with ${code}`)))
      createInterface({ input: child.stdout }).on('line', (line) => {
        this.lines.push(line)
        const [, found] = /^port (\d+)$/.exec(line) ?? []
        if (found !== undefined) resolve(found)
      })
    })
    this.url = new URL(`http://127.0.0.1:${port}/mcp`)
  }

  /** Resolves with the exit code when it is gone; null after a signal. */
  end(signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> {
    this.#child?.kill(signal)
    return this.#gone
  }

  /** Resolves when it has said the line. */
  said(line: string): Promise<void> {
    return expect.poll(() => this.lines, { timeout: patience }).toContain(line)
  }
}

type Answer = (message: string) => Promise<ElicitResult> | ElicitResult

export const accept: Answer = () => ({ action: 'accept', content: { confirm: true } })
/** Shows a question and never answers. */
export const leaveOpen: Answer = () => new Promise(() => undefined)

const clients = new Set<Client>()

/** A client of the owner, whose person answers each question so. */
export async function connect({ url }: { url: URL }, answer = leaveOpen, owner = 'alice'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities: { elicitation: { form: {} } } })
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params.message))
  const headers = { Authorization: `Bearer ${owner}` }
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  clients.add(client)
  return client
}

/** Ends all clients that `connect` made. */
export async function disconnectAll(): Promise<void> {
  await Promise.all([...clients].map((client) => client.close()))
  clients.clear()
}

export const textOf = (result: object): unknown => (result as { content?: { text?: unknown }[] }).content?.[0]?.text
