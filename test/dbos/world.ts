// Two server processes over one database of their own, and the ways to reach and to kill them.
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { StreamableHTTPClientTransport as TransportOf2026 } from '@modelcontextprotocol/client'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, expect } from 'vitest'
import { MODERN } from '../../src/modern/keys.js'
import type { Era } from '../scenarios/clients.js'
import { type Postgres, startPostgres } from './postgres.js'

/** Milliseconds: only a machine under load comes near. */
export const patience = 60_000

export class ServerProcess {
  readonly #databaseUrl: string
  #child: ChildProcess | undefined
  #starting: Promise<void> | undefined
  #gone: Promise<number | null> = Promise.resolve(0)
  /** What it said, of all its lives. */
  readonly lines: string[] = []
  url = new URL('http://127.0.0.1')
  /** True from when it serves until it is gone. */
  serving = false
  /** Counts its starts. */
  life = 0

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
        this.serving = false
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
    this.life += 1
    this.serving = true
  }

  /** Rejects when that life of the process is over. */
  async gone(life: number): Promise<never> {
    if (this.serving && this.life === life) await this.#gone
    throw new Error('The process is gone')
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

  transport(era: Era, owner = 'alice'): object {
    const options = { requestInit: { headers: { Authorization: `Bearer ${owner}` } } }
    return era === MODERN
      ? new TransportOf2026(this.url, options)
      : new StreamableHTTPClientTransport(this.url, options)
  }
}

/** Two processes for the tests of a file; `start` brings back those that were killed. */
export function twoProcesses(): { one(): ServerProcess; two(): ServerProcess; start(): Promise<void> } {
  let postgres: Postgres
  let processes: [ServerProcess, ServerProcess]
  const start = async (): Promise<void> => {
    await Promise.all(processes.map((each) => each.start()))
  }
  beforeAll(async () => {
    postgres = await startPostgres()
    const url = await postgres.database()
    processes = [new ServerProcess(url), new ServerProcess(url)]
    await start()
  }, 240_000)
  afterAll(async () => {
    await Promise.all(processes.map((each) => each.end()))
    await postgres.stop()
  })
  return { one: () => processes[0], two: () => processes[1], start }
}
