// Messages that nobody should send: shapes, params, ids, sizes and orders at random.

import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { ALL_TASKS, META, MODERN, REMOVED, TASKS } from '../../src/modern/keys.js'
import type { Random } from '../support/random.js'

const methods = [
  'tools/call',
  'tools/list',
  'tasks/get',
  'tasks/list',
  'tasks/result',
  'tasks/cancel',
  'tasks/update',
  'server/discover',
  'subscriptions/listen',
  'intab/questions/list',
  'intab/questions/take',
  'intab/tasks/delete',
  'ping',
  'initialize',
  'resources/read',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'notifications/cancelled',
  'notifications/progress',
  'notifications/initialized',
  'notifications/tasks/status',
  'rpc.discover',
  '',
  'constructor',
  '__proto__'
]

const words = [
  '',
  'x',
  '__proto__',
  'constructor',
  'quick',
  'ask',
  'Ω\ud800',
  '0',
  '1e1',
  'task:',
  'task:a:b',
  's:0:0',
  '\u0000'
]

interface Learned {
  task?: { taskId?: string }
  taskId?: string
  requestState?: string
  inputRequests?: object
}

export class Fuzz {
  readonly #random: Random
  /** Ids of tasks and requests, keys and states that were seen: nonsense is more dangerous when half of it is true. */
  readonly seen: string[] = []

  constructor(random: Random) {
    this.#random = random
  }

  /** Remembers the ids in what came back. */
  learn(messages: readonly JSONRPCMessage[]): void {
    for (const message of messages) {
      if ('id' in message && typeof message.id === 'string') this.seen.push(message.id)
      const { task, taskId, requestState, inputRequests = {} } = ('result' in message ? message.result : {}) as Learned
      const ids = [task?.taskId, taskId, requestState, ...Object.keys(inputRequests)]
      this.seen.push(...ids.filter((id) => typeof id === 'string'))
    }
    if (this.seen.length > 100) this.seen.splice(0, 50)
  }

  message(): unknown {
    const { below, pick, chance } = this.#random
    if (chance(0.03)) return pick([null, 0, 'text', [], [[]], {}, true, { jsonrpc: '1.0' }, { jsonrpc: '2.0' }])
    if (chance(0.12)) return { jsonrpc: '2.0', id: this.#id(), ...this.#answer() }
    const method = chance(0.05) ? this.#value(1) : pick(methods)
    const params = chance(0.15) ? this.#value(2) : this.#params()
    const message: Record<string, unknown> = { jsonrpc: '2.0', method, params }
    if (chance(0.85)) message.id = this.#id()
    if (chance(0.05)) delete message.params
    if (chance(0.02)) message.extra = this.#value(3)
    if (below(50) === 0) message.jsonrpc = this.#value(0)
    return message
  }

  #answer(): object {
    const { chance } = this.#random
    if (chance(0.5)) return { result: chance(0.5) ? { action: 'accept', content: this.#value(1) } : this.#value(2) }
    return { error: chance(0.5) ? { code: -1, message: 'no' } : this.#value(1) }
  }

  #params(): object {
    const { pick, chance } = this.#random
    const params: Record<string, unknown> = { taskId: this.#known(), name: pick(words), requestId: this.#known() }
    if (chance(0.3)) params.arguments = this.#value(2)
    if (chance(0.4)) params.task = chance(0.7) ? { ttl: this.#number() } : this.#value(1)
    if (chance(0.3)) params.cursor = chance(0.5) ? this.#value(0) : btoa(`v1:${this.#number()}`)
    if (chance(0.2)) params.requestState = chance(0.8) ? this.#known() : this.#value(1)
    if (chance(0.2))
      params.inputResponses = chance(0.8) ? { [String(this.#known())]: this.#response() } : this.#value(2)
    if (chance(0.3)) params.notifications = chance(0.8) ? this.#filter() : this.#value(2)
    if (chance(0.6)) params._meta = { ...(chance(0.6) && this.#envelope()), ...(chance(0.4) && this.#meta()) }
    if (chance(0.05)) params._meta = this.#value(1)
    return params
  }

  #response(): unknown {
    return this.#random.chance(0.6) ? { action: 'accept', content: {} } : this.#value(2)
  }

  /** Of a listen. */
  #filter(): object {
    const { chance } = this.#random
    return {
      taskIds: chance(0.8) ? [this.#known()] : this.#value(2),
      toolsListChanged: chance(0.5) || this.#value(0),
      resourceSubscriptions: chance(0.8) ? [] : this.#value(2),
      [ALL_TASKS]: chance(0.3) || this.#value(0),
      [REMOVED]: chance(0.3) || this.#value(0)
    }
  }

  /** What makes a request one of 2026-07-28, most of the time without a fault. */
  #envelope(): object {
    const { chance } = this.#random
    const capabilities = { elicitation: {}, ...(chance(0.6) && { extensions: { [TASKS]: {} } }) }
    return {
      [META.version]: chance(0.9) ? MODERN : this.#value(0),
      [META.capabilities]: chance(0.9) ? capabilities : this.#value(2),
      ...(chance(0.2) && { [META.logLevel]: this.#value(0) })
    }
  }

  #meta(): object {
    const { chance } = this.#random
    return {
      progressToken: this.#value(0),
      'intab/key': chance(0.5) ? 'same' : this.#value(0),
      'intab/seen': this.#number(),
      'intab/list': this.#value(2),
      'io.modelcontextprotocol/related-task': { taskId: this.#known() }
    }
  }

  #id(): unknown {
    const { chance, below, pick } = this.#random
    if (chance(0.7)) return below(2 ** 31)
    return chance(0.5) ? this.#known() : pick(['0', '', 0, -1, 1.5, null, {}, [], '1e1'])
  }

  #known(): unknown {
    const { chance, pick } = this.#random
    return chance(0.6) && this.seen.length > 0 ? pick(this.seen) : pick(words)
  }

  #number(): number {
    const { pick, below } = this.#random
    return pick([0, -1, 1, 1.5, 2 ** 31, 2 ** 53, 1e308, below(100_000)]) ?? 0
  }

  #value(depth: number): unknown {
    const { below, pick, chance } = this.#random
    const kind = below(depth > 0 ? 8 : 6)
    if (kind === 0) return null
    if (kind === 1) return chance(0.5)
    if (kind === 2) return this.#number()
    if (kind === 3) return pick(words)
    if (kind === 4) return 'long '.repeat(below(200))
    if (kind === 5) return undefined
    if (kind === 6) return Array.from({ length: below(5) }, () => this.#value(depth - 1))
    return Object.fromEntries(Array.from({ length: below(5) }, () => [pick(words) ?? '', this.#value(depth - 1)]))
  }
}
