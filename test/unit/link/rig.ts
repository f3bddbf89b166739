// An origin in Node: pages and shared workers with locks and real ports, and workers that can be killed.
import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js'
import { vi } from 'vitest'
import { IntabError } from '../../../src/errors.js'
import type { Connection, FrontDoor, Welcome } from '../../../src/link/front-door.js'
import { openFrontDoor } from '../../../src/link/front-door.js'
import { isRequest } from '../../../src/link/json-rpc.js'
import type { WorkerFactory } from '../../../src/link/make-worker.js'
import type { WorkerTransportOptions } from '../../../src/link/worker-transport.js'
import { WorkerTransport } from '../../../src/link/worker-transport.js'
import type { MortalLocks } from '../../doubles/locks.js'
import { LockSpace, memoryLocks } from '../../doubles/locks.js'

export const soon = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { interval: 1, timeout: 5_000 })

/** Lets faked time run, a quarter of a second after the other, until the check passes. */
export async function elapse(check: () => void, most = 60_000): Promise<void> {
  for (let passed = 0; ; passed += 250) {
    await new Promise(setImmediate)
    try {
      return check()
    } catch (error) {
      if (passed >= most) throw error
    }
    await vi.advanceTimersByTimeAsync(250)
  }
}

export const request = (id: number | string, method: string, params?: JSONRPCRequest['params']): JSONRPCRequest => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params && { params })
})
export const result = (id: number | string, value: Record<string, unknown> = {}): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  result: value
})
export const failed = (id: number | string, code: number, message = 'no'): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  error: { code, message }
})
export const notification = (method: string, params?: JSONRPCRequest['params']): JSONRPCMessage => ({
  jsonrpc: '2.0',
  method,
  ...(params && { params })
})

/** One session as the worker sees it. */
export interface ServerSide extends Connection {
  received: JSONRPCMessage[]
  send(message: JSONRPCMessage): Promise<void>
}

/** What the worker does with a message; a returned promise is the transport's `take`. */
export type Behaviour = (message: JSONRPCMessage, session: ServerSide) => Promise<void> | undefined

/** Answers what a client needs to get going, and nothing else. */
export const polite: Behaviour = (message, session) => {
  if (!isRequest(message) || !['initialize', 'logging/setLevel', 'resources/subscribe'].includes(message.method)) return
  session.send(result(message.id)).catch(() => undefined)
  return
}

export class FakeWorker {
  readonly id = crypto.randomUUID()
  readonly lock = `worker:${this.id}`
  readonly sessions: ServerSide[] = []
  readonly scope = Object.assign(new EventTarget(), { onconnect: null })
  readonly door: FrontDoor
  readonly #locks: MortalLocks
  behave: Behaviour
  accept: (connection: Connection) => Promise<void> = async () => undefined

  constructor(space: LockSpace, behave: Behaviour = polite) {
    this.behave = behave
    this.#locks = memoryLocks(space)
    const held = this.#locks.hold(this.lock).then(() => this.lock)
    this.door = openFrontDoor(
      this.scope,
      this.#locks,
      () => held,
      (connection) => this.#accept(connection)
    )
  }

  /** The session that came last. */
  get session(): ServerSide {
    const session = this.sessions.at(-1)
    if (!session) throw new Error('No page has connected')
    return session
  }

  connect(port: MessagePort): void {
    this.scope.dispatchEvent(Object.assign(new Event('connect'), { ports: [port] }))
  }

  /** Dies as in a browser: its ports fall silent, its locks come free. */
  kill(): void {
    for (const { transport } of this.sessions) {
      transport.take = () => new Promise(() => undefined)
      transport.end(new IntabError('closed', 'killed'))
    }
    this.door.close()
    this.#locks.die()
  }

  /** Dies with a message on its way; the lock, which takes another road, is free before it arrives. */
  lastWords(message: JSONRPCMessage): void {
    this.session.send(message).catch(() => undefined)
    this.#locks.die()
  }

  async #accept(connection: Connection): Promise<Welcome> {
    await this.accept(connection)
    const { transport } = connection
    const session: ServerSide = { ...connection, received: [], send: (message) => transport.send(message) }
    transport.take = (message) => {
      session.received.push(message)
      return this.behave(message, session)
    }
    await transport.start()
    this.sessions.push(session)
    return { version: 1, worker: this.id, lock: this.lock }
  }
}

/** A SharedWorker object; in Node it is only a port. */
const asSharedWorker = (port: MessagePort): SharedWorker => Object.assign(new EventTarget(), { port, onerror: null })

export class Origin {
  readonly space = new LockSpace()
  readonly workers: FakeWorker[] = []
  behave: Behaviour = polite
  /** How many times a page called its factory. */
  calls = 0
  #dead = false

  get worker(): FakeWorker {
    const worker = this.workers.at(-1)
    if (!worker) throw new Error('No worker was made')
    return worker
  }

  /** Connects to the living worker, or starts one. */
  readonly factory: WorkerFactory = () => {
    this.calls += 1
    if (this.workers.length === 0 || this.#dead) {
      this.workers.push(new FakeWorker(this.space, (message, session) => this.behave(message, session)))
      this.#dead = false
    }
    const { port1, port2 } = new MessageChannel()
    this.worker.connect(port2)
    return asSharedWorker(port1)
  }

  kill(): void {
    this.#dead = true
    this.worker.kill()
  }

  /** A page with a client's transport in it, connected. */
  async page(options: WorkerTransportOptions = {}, factory = this.factory): Promise<FakePage> {
    const page = new FakePage(this.space, factory, options)
    await page.transport.start()
    return page
  }
}

export class FakePage {
  readonly window = new EventTarget()
  readonly locks: MortalLocks
  readonly transport: WorkerTransport
  readonly received: JSONRPCMessage[] = []
  readonly errors: Error[] = []
  readonly states: string[] = []
  closes = 0

  constructor(space: LockSpace, factory: WorkerFactory, options: WorkerTransportOptions = {}) {
    this.locks = memoryLocks(space)
    this.transport = new WorkerTransport(factory, { locks: this.locks, page: this.window, ...options })
    this.transport.onmessage = (message) => this.received.push(message)
    this.transport.onerror = (error) => this.errors.push(error)
    this.transport.onstatechange = (state) => this.states.push(state)
    this.transport.onclose = () => {
      this.closes += 1
    }
  }

  /** Sends the messages of a client that connects. */
  async initialize(): Promise<void> {
    await this.transport.send(request(0, 'initialize', { protocolVersion: '2025-11-25' }))
    await soon(() => this.answerTo(0))
    await this.transport.send(notification('notifications/initialized'))
  }

  answerTo(id: number | string): JSONRPCMessage {
    const answer = this.received.find((message) => !('method' in message) && message.id === id)
    if (!answer) throw new Error(`No answer to ${id} yet`)
    return answer
  }

  /** The page goes into the back/forward cache, or for good. */
  leave(): void {
    this.window.dispatchEvent(new Event('pagehide'))
  }

  comeBack(): void {
    this.window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
  }

  crash(): void {
    this.locks.die()
  }
}

/** An origin with one page that has introduced itself, for one test. */
export async function initializedPage(): Promise<{ origin: Origin; page: FakePage }> {
  const origin = new Origin()
  const page = await origin.page()
  await page.initialize()
  page.received.length = 0
  return { origin, page }
}

/** A worker whose script never runs. */
export const silent = (): SharedWorker =>
  Object.assign(new EventTarget(), { port: new MessageChannel().port1, onerror: null })
