// Lines for the bridge on stdio, cut anywhere, and what must come back.

import { PassThrough } from 'node:stream'
import type { RequestId } from '@modelcontextprotocol/sdk/types.js'
import { StdioTransport } from '../../src/bridge/stdio.js'
import type { Random } from '../support/random.js'
import { deepText, invalidTexts, notJson } from './nonsense.js'

export const maxLine = 20_000

interface Line {
  id?: RequestId | null
  method?: string
  error?: { code: number }
}

export class StdioFuzz {
  readonly stdio: StdioTransport
  readonly output: Line[] = []
  /** Ids of requests, each of which gets one answer. */
  readonly asked: RequestId[] = []
  /** Requests that are cancelled get at most one, and none that runs for ever. */
  readonly cancelled: RequestId[] = []
  /** Codes of the refusals that must come, in order. */
  readonly refused: number[] = []
  readonly #input = new PassThrough()
  readonly #random: Random
  #lastId = 0

  constructor(random: Random) {
    this.#random = random
    const written = new PassThrough()
    this.stdio = new StdioTransport(this.#input, written, maxLine)
    let rest = ''
    written.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      this.output.push(...lines.map((line) => JSON.parse(line) as Line))
    })
  }

  /** Sends some lines, in pieces; resolves when the next may come. */
  async say(count: number): Promise<void> {
    let text = ''
    for (let n = 0; n < count; n += 1) text += `${this.#line()}${this.#random.chance(0.2) ? '\r\n' : '\n'}`
    for (let start = 0; start < text.length;) {
      const end = start + 1 + this.#random.below(this.#random.chance(0.1) ? 5 : 30_000)
      if (!this.#input.write(text.slice(start, end))) await new Promise((resolve) => this.#input.once('drain', resolve))
      start = end
    }
  }

  end(): void {
    this.#input.end()
  }

  #line(): string {
    const kind = this.#random.below(8)
    if (kind === 0) {
      const { text, code } = this.#random.pick([...invalidTexts, ...notJson]) ?? { text: '1', code: -32600 }
      this.refused.push(code)
      return text
    }
    if (kind === 1) return this.#random.pick(['', '   ', '\t', '{"jsonrpc":"2.0","method":"notifications/none"}']) ?? ''
    if (kind === 2) {
      const length = maxLine + this.#random.below(7) - 3
      if (length > maxLine) this.refused.push(-32600)
      else return this.#ask('ping').padEnd(length, ' ')
      return '{"jsonrpc":"2.0","id":"long","method":"ping"}'.padEnd(length, ' ')
    }
    if (kind === 3) return deepText(this.#asks(), 1 + this.#random.below(3_000))
    if (kind === 4) {
      const id = this.#newId()
      this.cancelled.push(id)
      const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } }
      return `${this.#call('held', id)}\n${JSON.stringify(cancel)}`
    }
    if (kind === 5) return this.#call(this.#random.pick(['bigint', 'echo', 'nothing', 'quick']) ?? '', this.#asks())
    return this.#ask(this.#random.pick(['ping', 'tools/list', 'no/such', 'tasks/list']) ?? '')
  }

  #newId(): RequestId {
    this.#lastId += 1
    return this.#random.chance(0.5) ? this.#lastId : `s${this.#lastId}`
  }

  #asks(): RequestId {
    const id = this.#newId()
    this.asked.push(id)
    return id
  }

  #ask(method: string): string {
    return JSON.stringify({ jsonrpc: '2.0', id: this.#asks(), method })
  }

  #call(name: string, id: RequestId): string {
    return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: { a: 'é' } } })
  }
}
