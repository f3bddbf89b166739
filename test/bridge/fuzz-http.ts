// Attacks on the bridge over HTTP, each with what must come of it. A step throws when that does not.

import type { RequestId } from '@modelcontextprotocol/sdk/types.js'
import { expect } from 'vitest'
import type { Random } from '../support/random.js'
import { RawHttp, type SseStream } from '../support/raw-http.js'
import { forms } from '../support/raw-tab.js'
import { deepText, invalidTexts, notJson } from './nonsense.js'
import { brokenBytes, isAnswer, modern } from './strangers.js'

export const maxMessage = 20_000

type Step = (client: RawHttp) => Promise<void>

export class HttpFuzz {
  /** What was sent, by kind. */
  readonly sent = new Map<string, number>()
  readonly #url: string
  readonly #random: Random
  readonly #clients = new Set<RawHttp>()
  #lastId = 0

  constructor(url: string, random: Random) {
    this.#url = url
    this.#random = random
  }

  async step(): Promise<void> {
    const [name, step] = this.#random.pick(this.#steps) as [string, Step]
    this.sent.set(name, (this.sent.get(name) ?? 0) + 1)
    const client = await this.#client()
    try {
      await step(client)
    } catch (error) {
      // Its client died in the middle of it.
      if ((error as Error).name === 'AbortError' && !this.#clients.has(client)) return
      throw new Error(`Step ${name} failed`, { cause: error })
    }
  }

  die(): void {
    const clients = [...this.#clients]
    this.#clients.clear()
    for (const client of clients) client.die()
  }

  readonly #steps: [string, Step][] = [
    ['request', (client) => this.#answered(client, this.#call('echo', { a: 'x'.repeat(this.#random.below(5_000)) }))],
    ['unknown method', (client) => this.#answered(client, { method: `no/${this.#random.below(9)}` })],
    [
      'bad params',
      (client) => this.#answered(client, { method: 'tools/call', params: { name: this.#random.below(9) } })
    ],
    ['task', (client) => this.#answered(client, this.#call('quick', {}, { task: {} }))],
    ['not JSON from the tool', (client) => this.#answered(client, this.#call('bigint', {}))],
    ['nothing at that id', (client) => this.#answered(client, { method: 'tasks/get', params: { taskId: 'none' } })],
    ['depth', (client) => this.#deep(client)],
    ['size', (client) => this.#sized(client)],
    [
      'not a message',
      async (client) => {
        const { text, code } = this.#random.pick([...invalidTexts, ...notJson]) ?? { text: '', code: -32700 }
        const refused = await client.post(text)
        expect(refused.status).toBe(400)
        expect(JSON.parse(await refused.ended)).toMatchObject({ jsonrpc: '2.0', error: { code } })
      }
    ],
    [
      'answer to nobody',
      async (client) => this.#is(client, await client.post({ jsonrpc: '2.0', id: 'x', result: {} }), 400)
    ],
    ['same id twice', (client) => this.#twice(client)],
    ['cancel', (client) => this.#cancelled(client)],
    ['hang up', (client) => this.#hungUp(client)],
    ['odd headers', (client) => this.#oddHeaders(client)],
    ['broken bytes', () => brokenBytes(this.#url, this.#random)],
    [
      'GET',
      async (client) => {
        const stream = await client.get()
        this.#is(client, stream, 200, 409)
        if (this.#random.chance(0.7)) stream.cut()
      }
    ],
    ['question', (client) => this.#question(client)],
    ['2026-07-28', () => modern(this.#url, this.#random, this.#newId())],
    [
      'DELETE',
      async (client) => {
        this.#clients.delete(client)
        const streams = await Promise.all([client.get(), client.delete()])
        expect([200, 404]).toContain(streams[1].status)
        await Promise.all(streams.map(({ ended }) => ended))
        expect((await client.post({ jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(404)
      }
    ],
    [
      'gone without a word',
      async (client) => {
        this.#clients.delete(client)
        client.die()
      }
    ]
  ]

  async #client(): Promise<RawHttp> {
    if (this.#clients.size < 4) {
      const client = await RawHttp.open(this.#url, forms)
      this.#clients.add(client)
      return client
    }
    return this.#random.pick([...this.#clients]) as RawHttp
  }

  #call(name: string, args: object, more: object = {}): { method: string; params: Record<string, unknown> } {
    return { method: 'tools/call', params: { name, arguments: args, ...more } }
  }

  #newId(): RequestId {
    this.#lastId += 1
    return this.#random.chance(0.5) ? this.#lastId : `f${this.#lastId}`
  }

  /** One answer, on the stream of its request, which ends. A client that was ended meanwhile is told so. */
  async #answered(client: RawHttp, request: { method: string; params?: object }, id = this.#newId()): Promise<void> {
    const stream = await client.post({ jsonrpc: '2.0', id, ...request })
    this.#is(client, stream, 200)
    await stream.ended
    this.#oneAnswer(client, id, stream)
  }

  /** Another step may have ended this client, or cut all of its streams. */
  #is(client: RawHttp, { status }: SseStream, ...statuses: number[]): void {
    expect(this.#clients.has(client) ? statuses : [...statuses, 404]).toContain(status)
  }

  #oneAnswer(client: RawHttp, id: RequestId, ...streams: SseStream[]): void {
    const answers = streams.flatMap(({ messages }) => messages.filter((message) => isAnswer(message, id)))
    if (this.#clients.has(client)) expect(answers).toHaveLength(1)
    else expect(answers.length).toBeLessThanOrEqual(1)
  }

  async #deep(client: RawHttp): Promise<void> {
    const id = this.#newId()
    const depth = 1 + this.#random.below(3_000)
    const stream = await client.post(deepText(id, depth))
    this.#is(client, stream, 200)
    await stream.ended
    this.#oneAnswer(client, id, stream)
  }

  async #sized(client: RawHttp): Promise<void> {
    const length = maxMessage + this.#random.below(7) - 3
    const text = JSON.stringify({ jsonrpc: '2.0', id: this.#newId(), method: 'ping' }).padEnd(length, ' ')
    this.#is(client, await client.post(text), length > maxMessage ? 413 : 200)
  }

  async #twice(client: RawHttp): Promise<void> {
    const id = this.#newId()
    const first = await client.post({ jsonrpc: '2.0', id, ...this.#call('held', {}) })
    const second = await client.post({ jsonrpc: '2.0', id, method: 'ping' })
    this.#is(client, first, 200)
    this.#is(client, second, 400)
    await client.notify('notifications/cancelled', { requestId: id })
    await first.ended
    expect(first.messages).toEqual([])
  }

  async #cancelled(client: RawHttp): Promise<void> {
    const id = this.#newId()
    const stream = await client.post({ jsonrpc: '2.0', id, ...this.#call('held', {}) })
    await client.notify('notifications/cancelled', { requestId: id })
    await stream.ended
    expect(stream.messages).toEqual([])
  }

  async #hungUp(client: RawHttp): Promise<void> {
    const id = this.#newId()
    const stream = await client.post({ jsonrpc: '2.0', id, ...this.#call('echo', { a: 'x'.repeat(5_000) }) })
    if (this.#random.chance(0.5)) await Promise.race([stream.ended, stream.next(() => true).catch(() => undefined)])
    stream.cut()
    await stream.ended
    if (stream.lastId === '' || this.#random.chance(0.5)) return
    const resumed = await client.get({ 'Last-Event-ID': stream.lastId })
    this.#is(client, resumed, 200, 204)
    await resumed.ended
    this.#oneAnswer(client, id, stream, resumed)
  }

  async #oddHeaders(client: RawHttp): Promise<void> {
    const [headers, status] = this.#random.pick<[Record<string, string>, number]>([
      [{ 'Mcp-Session-Id': 'nobody' }, 404],
      [{ Accept: 'text/plain' }, 406],
      [{ 'Content-Type': 'text/plain' }, 415],
      [{ Origin: 'https://evil.example' }, 403],
      [{ 'MCP-Protocol-Version': '1999-01-01' }, 400]
    ]) ?? [{}, 0]
    const stream = await client.post({ jsonrpc: '2.0', id: this.#newId(), method: 'ping' }, headers)
    this.#is(client, stream, status)
  }

  /** Answered, declined, answered wrongly or left alone. */
  async #question(client: RawHttp): Promise<void> {
    const id = this.#newId()
    const stream = await client.post({ jsonrpc: '2.0', id, ...this.#call('ask', {}) })
    this.#is(client, stream, 200)
    const question = await stream.next(({ method }) => method === 'elicitation/create').catch(() => undefined)
    if (question === undefined) return
    const how = this.#random.below(3)
    if (how === 0) return stream.cut()
    const reply = how === 1 ? { result: { action: 'decline' } } : { error: { code: -1, message: 'no' } }
    // A question that moved to another stream of its client's is still answered by its id.
    this.#is(client, await client.post({ jsonrpc: '2.0', id: question.id, ...reply }), 202)
    await stream.ended
    this.#oneAnswer(client, id, stream)
  }
}
