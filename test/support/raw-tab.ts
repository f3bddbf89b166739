// A tab whose client says what the test wants, message by message, also what the SDK's Client refuses to send.

import type { ClientCapabilities, JSONRPCMessage, JSONRPCRequest, RequestId } from '@modelcontextprotocol/sdk/types.js'
import { onTestFinished } from 'vitest'
import type { Json } from '../../src/types.js'
import { turn } from './turns.js'
import type { World } from './world.js'

export type Wire = Record<string, unknown>

export interface WireError {
  code: number
  message: string
  data?: Wire
}

interface Response {
  result?: Wire
  error?: WireError
}

/** A request or notification of the server. */
export interface Heard {
  id?: RequestId
  method: string
  params: Wire & { _meta?: Wire }
}

/** A task as it is on the wire. */
export interface WireTask extends Wire {
  taskId: string
  status: string
  ttl: number | null
  createdAt: string
  lastUpdatedAt: string
  pollInterval: number
  _meta: Wire
}

export interface RawOptions {
  capabilities?: ClientCapabilities
  /** False: the client stays silent until the test speaks. */
  initialize?: boolean
  data?: Json
}

export const forms: ClientCapabilities = { elicitation: { form: {} } }

export class RawTab {
  /** Every message of the server, in order. */
  readonly log: JSONRPCMessage[] = []
  /** Is gone without a word. */
  readonly crash: () => void
  readonly #transport: ReturnType<World['transport']>['transport']
  readonly #unread: Heard[] = []
  readonly #listening = new Set<(heard: Heard) => boolean>()
  readonly #asked = new Map<RequestId, (response: Response) => void>()
  #lastId = 0

  constructor(world: World, { data }: RawOptions) {
    const { transport, locks } = world.transport(data === undefined ? {} : { data })
    this.#transport = transport
    this.crash = () => locks.die()
    transport.onmessage = (message) => this.#hear(message)
    onTestFinished(() => transport.close())
  }

  async start({ capabilities = {}, initialize = true }: RawOptions): Promise<void> {
    await this.#transport.start()
    if (!initialize) return
    const clientInfo = { name: 'raw', version: '1.0.0' }
    await this.ok('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo })
    await this.notify('notifications/initialized')
  }

  close(): Promise<void> {
    return this.#transport.close()
  }

  /** Sends a request; `id` is there at once, the response comes later. `params` may be anything. */
  ask(method: string, params?: unknown): { id: RequestId; response: Promise<Response> } {
    const id = `raw-${++this.#lastId}`
    const response = new Promise<Response>((resolve, reject) => {
      this.#asked.set(id, resolve)
      const message = { jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) } as JSONRPCRequest
      this.#transport.send(message).catch(reject)
    })
    return { id, response }
  }

  /** The result of a request; throws when it is an error. */
  async ok(method: string, params?: unknown): Promise<Wire> {
    const { result, error } = await this.ask(method, params).response
    if (result === undefined) throw new Error(`${method} failed: ${JSON.stringify(error)}`)
    return result
  }

  /** The error of a request; throws when it is a result. */
  async fail(method: string, params?: unknown): Promise<WireError> {
    const { result, error } = await this.ask(method, params).response
    if (error === undefined) throw new Error(`${method} did not fail: ${JSON.stringify(result)}`)
    return error
  }

  notify(method: string, params: Wire = {}): Promise<void> {
    return this.#transport.send({ jsonrpc: '2.0', method, params })
  }

  /** Answers a request of the server; resolves when the server has it. */
  answer({ id }: Heard, reply: { result: Wire } | { error: WireError }): Promise<void> {
    return this.#transport.send({ jsonrpc: '2.0', id, ...reply } as JSONRPCMessage)
  }

  /** Calls a tool as a task; the task as it was created. */
  async create(name: string, args: Wire = {}, task: Wire = {}, meta?: Wire): Promise<WireTask> {
    const params = { name, arguments: args, task, ...(meta && { _meta: meta }) }
    return (await this.ok('tools/call', params)).task as WireTask
  }

  async get(taskId: string): Promise<WireTask> {
    return (await this.ok('tasks/get', { taskId })) as WireTask
  }

  result(taskId: string): Promise<Wire> {
    return this.ok('tasks/result', { taskId })
  }

  /** The next request or notification of a method that nobody took yet. */
  next(method: string, fits: (params: Heard['params']) => boolean = () => true): Promise<Heard> {
    const found = this.#unread.findIndex((heard) => heard.method === method && fits(heard.params))
    const [heard] = found < 0 ? [] : this.#unread.splice(found, 1)
    if (heard !== undefined) return Promise.resolve(heard)
    return new Promise((resolve) => {
      const listen = (heard: Heard): boolean => {
        if (heard.method !== method || !fits(heard.params)) return false
        this.#listening.delete(listen)
        resolve(heard)
        return true
      }
      this.#listening.add(listen)
    })
  }

  /** What was heard of a method so far. */
  heard(method: string): Heard[] {
    return this.log.filter((message) => 'method' in message && message.method === method) as unknown as Heard[]
  }

  /** Resolves when whatever was under way, without a timer, has arrived. */
  async quiet(): Promise<void> {
    for (let i = 0; i < 40; i++) await turn()
    await this.ok('ping')
    for (let i = 0; i < 10; i++) await turn()
  }

  #hear(message: JSONRPCMessage): void {
    this.log.push(message)
    if ('method' in message) {
      const heard = { params: {}, ...message } as Heard
      for (const listen of this.#listening) if (listen(heard)) return
      this.#unread.push(heard)
    } else if (message.id !== undefined) {
      this.#asked.get(message.id)?.(message as Response)
    }
  }
}

export async function rawTab(world: World, options: RawOptions = {}): Promise<RawTab> {
  const tab = new RawTab(world, options)
  await tab.start(options)
  return tab
}
