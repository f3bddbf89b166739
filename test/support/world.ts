// One origin in Node: workers and tabs with the real Client, McpServer, Comlink, MessageChannel, BroadcastChannel and
// IndexedDB (fake-indexeddb); only the locks are doubles, which Node lacks.

import { Client, type ClientOptions } from '@modelcontextprotocol/sdk/client/index.js'
import {
  type ClientCapabilities,
  CreateMessageRequestSchema,
  type CreateMessageRequest,
  type CreateMessageResult,
  ElicitRequestSchema,
  type ElicitRequest,
  type ElicitResult
} from '@modelcontextprotocol/sdk/types.js'
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/cfworker'
import { onTestFinished } from 'vitest'
import { WorkerTransport, type WorkerTransportOptions } from '../../src/link/worker-transport.js'
import type { McpServerSetup, ServeOptions } from '../../src/session/options.js'
import { mcpServer } from '../../src/session/sdk-server.js'
import { serve, type Server } from '../../src/session/serve.js'
import type { IntabEvent } from '../../src/types.js'
import { LockSpace, memoryLocks, type MortalLocks } from '../doubles/locks.js'

/** What a SharedWorker's global scope is to `serve`. */
class Scope extends EventTarget {
  onconnect = null
}

/** What `new SharedWorker()` is to a tab. */
export class FakeSharedWorker extends EventTarget {
  readonly port: MessagePort
  constructor(scope: Scope) {
    super()
    const { port1, port2 } = new MessageChannel()
    this.port = port1
    scope.dispatchEvent(Object.assign(new Event('connect'), { ports: [port2] }))
  }
}

export interface TabOptions extends Omit<WorkerTransportOptions, 'locks'> {
  capabilities?: ClientCapabilities
  /** More for the Client, such as a store of its own. */
  client?: ClientOptions
  onelicit?(params: ElicitRequest['params'], id: string, signal: AbortSignal): Promise<ElicitResult> | ElicitResult
  onsample?(params: CreateMessageRequest['params']): Promise<CreateMessageResult> | CreateMessageResult
  /** Default: the world's newest worker. */
  worker?: WorldWorker
  /** Makes the worker in place of both. */
  make?(): EventTarget
}

/** Of a worker; its `setup` is what a host gives to `mcpServer()`. */
export type WorldOptions = Partial<Omit<ServeOptions, 'setup'>> & { setup?: McpServerSetup }

export class World {
  readonly name = `world:${crypto.randomUUID()}`
  readonly locks = new LockSpace()
  readonly workers: WorldWorker[] = []
  readonly #options: WorldOptions
  readonly #acts: ((worker: WorldWorker, point: string) => void)[] = []

  constructor(options: WorldOptions = {}) {
    this.#options = options
  }

  /** Called at each commit and send of every worker of this world. */
  onpoint(act: (worker: WorldWorker, point: string) => void): void {
    this.#acts.push(act)
  }

  /** Starts a worker; tabs that reconnect find the newest that lives. */
  worker(options: WorldOptions = {}): WorldWorker {
    const worker = new WorldWorker(this, { ...this.#options, ...options })
    this.workers.push(worker)
    worker.onpoint((point) => this.#acts.forEach((act) => act(worker, point)))
    return worker
  }

  /** The newest worker that lives, made when there is none, as `new SharedWorker` does. */
  living(): WorldWorker {
    return this.workers.findLast((worker) => !worker.dead) ?? this.worker()
  }

  /** A tab's end of a connection, for a client that the test writes. */
  transport({
    worker,
    make,
    ...options
  }: Omit<WorkerTransportOptions, 'locks'> & Pick<TabOptions, 'worker' | 'make'> = {}): {
    transport: WorkerTransport
    locks: MortalLocks
  } {
    const locks = memoryLocks(this.locks)
    const newest = (): EventTarget => new FakeSharedWorker((worker ?? this.living()).scope)
    const factory = (make ?? newest) as unknown as () => SharedWorker
    return { transport: new WorkerTransport(factory, { ...options, locks }), locks }
  }

  async tab(options: TabOptions = {}): Promise<Tab> {
    const tab = new Tab(this, options)
    await tab.client.connect(tab.transport)
    return tab
  }
}

export class WorldWorker {
  readonly events: IntabEvent[] = []
  /** Every commit and send of this worker, in order. */
  readonly points: string[] = []
  readonly scope = new Scope()
  readonly server: Server
  readonly #locks: MortalLocks
  readonly #points = new Set<(point: string) => unknown>()
  dead = false

  constructor(world: World, { setup, ...options }: WorldOptions) {
    this.#locks = memoryLocks(world.locks)
    this.server = serve({
      name: 'world',
      version: '1.0.0',
      database: world.name,
      deliveryGrace: 60_000,
      ...options,
      ...(setup && { setup: mcpServer(setup) }),
      scope: this.scope,
      locks: this.#locks,
      checkpoint: (point) => this.#at(point, options.checkpoint),
      onevent: (event) => {
        if (this.dead) return
        this.events.push(event)
        options.onevent?.(event)
      }
    })
    onTestFinished(() => {
      this.kill()
      this.server.close()
    })
  }

  /** Dies without a goodbye: its locks come free, and nothing that it still does has any effect. */
  kill(): void {
    this.dead = true
    this.#locks.die()
  }

  /** Is taken for dead by all others, and lives on: what a worker is that was frozen for long. */
  loseLocks(): void {
    this.#locks.die()
  }

  /** Called at each commit and send of this worker until the returned function is. */
  onpoint(act: (point: string) => unknown): () => void {
    this.#points.add(act)
    return () => this.#points.delete(act)
  }

  eventsOf<T extends IntabEvent['type']>(type: T): (IntabEvent & { type: T })[] {
    return this.events.filter((event): event is IntabEvent & { type: T } => event.type === type)
  }

  async #at(point: string, then: ServeOptions['checkpoint']): Promise<void> {
    if (!this.dead) this.points.push(point)
    if (!this.dead) for (const act of this.#points) await act(point)
    if (this.dead) return new Promise(() => undefined)
    await then?.(point)
  }
}

export class Tab {
  readonly client: Client
  readonly transport: WorkerTransport
  readonly #locks: MortalLocks

  constructor(world: World, { capabilities, client, onelicit, onsample, ...options }: TabOptions) {
    const { transport, locks } = world.transport(options)
    this.transport = transport
    this.#locks = locks
    const declared: ClientCapabilities = {
      ...(onelicit && { elicitation: { form: {}, url: {} } }),
      ...(onsample && { sampling: { tools: {} } }),
      ...capabilities
    }
    const info = { name: 'tab', version: '1.0.0' }
    this.client = new Client(info, {
      capabilities: declared,
      jsonSchemaValidator: new CfWorkerJsonSchemaValidator(),
      ...client
    })
    if (onelicit) {
      this.client.setRequestHandler(ElicitRequestSchema, ({ params }, { requestId, signal }) =>
        onelicit(params, String(requestId), signal)
      )
    }
    if (onsample) this.client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => onsample(params))
    onTestFinished(() => this.client.close())
  }

  /** Leaves politely. */
  close(): Promise<void> {
    return this.client.close()
  }

  /** Is gone without a word: its locks come free, and it hears nothing more. */
  crash(): void {
    this.#locks.die()
  }
}
