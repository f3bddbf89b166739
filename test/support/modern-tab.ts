// A tab that speaks MCP 2026-07-28, message by message: each with an envelope of its own, and none before.

import type { RequestId } from '@modelcontextprotocol/sdk/types.js'
import { META, MODERN, TASKS } from '../../src/modern/keys.js'
import { type Heard, type RawTab, rawTab, type Wire, type WireError } from './raw-tab.js'
import type { World } from './world.js'

export interface Envelope {
  /** What this request's client can do; default: nothing. */
  can?: Wire
  /** Whether it takes tasks; default true. */
  tasks?: boolean
  meta?: Wire
}

export interface ModernWire extends Wire {
  resultType: string
  taskId: string
  status: string
  requestState: string
  inputRequests: Record<string, { method: string; params: Wire }>
  result: Wire
  error: WireError
  _meta: Wire
}

export const accept = (content: Wire): Wire => ({ action: 'accept', content })
export const forms = { elicitation: {} }

export const envelope = ({ can = {}, tasks = true, meta = {} }: Envelope = {}): Wire => ({
  [META.version]: MODERN,
  [META.capabilities]: tasks ? { ...can, extensions: { [TASKS]: {} } } : can,
  [META.client]: { name: 'modern-tab', version: '1.0.0' },
  ...meta
})

export class ModernTab {
  readonly raw: RawTab
  readonly #usual: Envelope

  constructor(raw: RawTab, usual: Envelope) {
    this.raw = raw
    this.#usual = usual
  }

  ask(method: string, params: Wire = {}, more: Envelope = {}): ReturnType<RawTab['ask']> {
    return this.raw.ask(method, { ...params, _meta: envelope({ ...this.#usual, ...more }) })
  }

  async ok(method: string, params?: Wire, more?: Envelope): Promise<ModernWire> {
    const { result, error } = await this.ask(method, params, more).response
    if (result === undefined) throw new Error(`${method} failed: ${JSON.stringify(error)}`)
    return result as ModernWire
  }

  async fail(method: string, params?: Wire, more?: Envelope): Promise<WireError> {
    const { result, error } = await this.ask(method, params, more).response
    if (error === undefined) throw new Error(`${method} did not fail: ${JSON.stringify(result)}`)
    return error
  }

  call(name: string, args: Wire = {}, more?: Envelope): Promise<ModernWire> {
    return this.ok('tools/call', { name, arguments: args }, more)
  }

  /** A plain call of a client that takes no tasks; `again` is the result that asked. */
  round(name: string, args: Wire = {}, again?: ModernWire, inputResponses?: Wire): Promise<ModernWire> {
    const state = again === undefined ? {} : { requestState: again.requestState }
    const answers = inputResponses === undefined ? {} : { inputResponses }
    return this.ok('tools/call', { name, arguments: args, ...state, ...answers }, { tasks: false })
  }

  get(taskId: string, more?: Envelope): Promise<ModernWire> {
    return this.ok('tasks/get', { taskId }, more)
  }

  update(taskId: string, inputResponses: Wire): Promise<ModernWire> {
    return this.ok('tasks/update', { taskId, inputResponses })
  }

  /** Listens, and resolves once that was acknowledged. */
  async listen(notifications: Wire, more?: Envelope): Promise<{ id: RequestId; acknowledged: Heard }> {
    const { id } = this.ask('subscriptions/listen', { notifications }, more)
    const acknowledged = await this.raw.next(
      'notifications/subscriptions/acknowledged',
      (params) => params._meta?.[META.subscription] === id
    )
    return { id, acknowledged }
  }

  /** The next push of a task in this state. */
  pushed(taskId: string, status: string): Promise<Heard> {
    return this.raw.next('notifications/tasks', (params) => params.taskId === taskId && params.status === status)
  }

  /** The task, once it is in this state; asks for as long as it is not. */
  async until(taskId: string, status: string): Promise<ModernWire> {
    const { id } = await this.listen({ taskIds: [taskId] })
    const { params } = await this.pushed(taskId, status)
    await this.raw.notify('notifications/cancelled', { requestId: id })
    return params as ModernWire
  }
}

/** Its `data`, where given, tells `owner` who it is. */
export async function modernTab(world: World, usual: Envelope = { can: forms }, data?: string): Promise<ModernTab> {
  return new ModernTab(await rawTab(world, { initialize: false, ...(data !== undefined && { data }) }), usual)
}
