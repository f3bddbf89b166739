// A page that connects to all sorts of workers, without a Client.

import { locksContract } from '../../contract/locks-contract.js'
import { webLocks } from '../../../src/link/locks.js'
import { toError } from '../../../src/errors.js'
import type { WorkerFactory } from '../../../src/link/make-worker.js'
import { WorkerTransport, type WorkerTransportOptions } from '../../../src/link/worker-transport.js'
import brokenUrl from './connect-broken.worker.ts?worker&url'
import { openDoor } from './connect-door.js'
import url from './connect.worker.ts?worker&url'

const shared =
  (script: string, options: WorkerOptions & { extendedLifetime?: boolean } = {}): WorkerFactory =>
  () =>
    new SharedWorker(script, { type: 'module', name: 'connect', ...options })

const factories = {
  shared: shared(url),
  /** Other options than `shared`, under the same name. */
  mixed: shared(url, { extendedLifetime: true }),
  broken: shared(brokenUrl),
  missing: shared('/nowhere.js'),
  foreign: shared('https://intab.example/worker.js'),
  page: () => {
    const { port1, port2 } = new MessageChannel()
    openDoor(port2)
    return port1
  }
} satisfies Record<string, WorkerFactory>

export interface Connected {
  state: string
  states: string[]
  errors: string[]
  kind: string | undefined
  session: string | undefined
  connection: string
  worker: string | undefined
}

const transports: { transport: WorkerTransport; states: string[]; errors: string[] }[] = []
const last = () => transports.at(-1) ?? Promise.reject(new Error('Not connected'))

const connect = {
  async to(kind: keyof typeof factories, fallback = false): Promise<{ code: unknown; message: string } | undefined> {
    const options: WorkerTransportOptions = fallback ? { fallback: () => new Worker(url, { type: 'module' }) } : {}
    const transport = new WorkerTransport(factories[kind], options)
    const entry = { transport, states: [] as string[], errors: [] as string[] }
    transport.onstatechange = (state) => entry.states.push(state)
    transport.onerror = (error) => entry.errors.push(error.message)
    transports.push(entry)
    return transport.start().then(
      () => undefined,
      (error: unknown) => ({ code: (error as { code?: unknown }).code, message: toError(error).message })
    )
  },

  async is(): Promise<Connected> {
    const { transport, states, errors } = await last()
    const { state, kind, session, connection, worker } = transport
    return { state, states, errors, kind, session, connection, worker }
  },

  async ask(): Promise<{ worker: string; connections: number }> {
    const { transport } = await last()
    return new Promise((resolve, reject) => {
      transport.onmessage = (message) => {
        if ('result' in message) resolve(message.result as { worker: string; connections: number })
      }
      transport.send({ jsonrpc: '2.0', id: crypto.randomUUID(), method: 'ping' }).catch(reject)
    })
  },

  async close(): Promise<void> {
    await (await last()).transport.close()
  },

  /** Runs one rule of the contract on the browser's locks; the one who dies is a frame. */
  async rule(name: string): Promise<void> {
    const frame = document.body.appendChild(document.createElement('iframe'))
    const window = frame.contentWindow
    if (window === null) throw new Error('The frame has no window')
    const rig = { a: webLocks(window), b: webLocks(), killA: async () => frame.remove() }
    await locksContract.find((rule) => rule.name === name)?.holds(rig)
    frame.remove()
  }
}

declare global {
  var connect: {
    to(kind: string, fallback?: boolean): Promise<{ code: unknown; message: string } | undefined>
    is(): Promise<Connected>
    ask(): Promise<{ worker: string; connections: number }>
    close(): Promise<void>
    rule(name: string): Promise<void>
  }
}

globalThis.connect = connect
