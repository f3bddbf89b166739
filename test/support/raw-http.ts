// A client of Streamable HTTP that says what the test wants, and sees every stream.

import type { ClientCapabilities, JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js'
import { onTestFinished } from 'vitest'
import type { Wire } from './raw-tab.js'

type Message = JSONRPCMessage & { id?: RequestId; method?: string; params?: Wire; result?: Wire; error?: Wire }

/** What came on one response, message by message. */
export class SseStream {
  readonly status: number
  readonly headers: Headers
  readonly messages: Message[] = []
  /** The newest event id. */
  lastId = ''
  /** Resolves with the body, if that is no stream of events, when it is over. */
  readonly ended: Promise<string>
  /** Hangs up. */
  readonly cut: () => void
  readonly #waiting = new Set<() => void>()
  #over = false

  constructor(response: Response, hangUp: AbortController) {
    this.status = response.status
    this.headers = response.headers
    this.cut = () => hangUp.abort()
    // A body that is aborted at a bad moment never ends in Node 20.
    const aborted = new Promise<string>((resolve) => hangUp.signal.addEventListener('abort', () => resolve('')))
    this.ended = Promise.race([this.#read(response), aborted]).finally(() => {
      this.#over = true
      this.#wake()
    })
  }

  /** The first message that fits, now or later; throws when the stream ends without. */
  async next(fits: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const found = this.messages.find(fits)
      if (found) return found
      if (this.#over) throw new Error(`The stream ended with ${JSON.stringify(this.messages)}`)
      await new Promise<void>((resolve) => this.#waiting.add(resolve))
    }
  }

  async #read(response: Response): Promise<string> {
    let rest = ''
    try {
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
      for (;;) {
        const chunk = await reader?.read()
        if (chunk === undefined || chunk.done) break
        rest += chunk.value
        if (!this.headers.get('content-type')?.startsWith('text/event-stream')) continue
        const events = rest.split('\n\n')
        rest = events.pop() ?? ''
        for (const event of events) this.#hear(event)
      }
    } catch {
      // It was cut, by either side.
    }
    return rest
  }

  #hear(event: string): void {
    this.lastId = /^id: (.*)$/m.exec(event)?.[1] ?? this.lastId
    const data = /^data: (.+)$/m.exec(event)?.[1]
    if (data !== undefined) this.messages.push(JSON.parse(data) as Message)
    this.#wake()
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve()
    this.#waiting.clear()
  }
}

export class RawHttp {
  readonly #url: string
  readonly #open = new Set<AbortController>()
  #dead = false
  session: string | undefined
  #lastId = 0

  constructor(url: string) {
    this.#url = url
    onTestFinished(() => this.die())
  }

  static async open(url: string, capabilities: ClientCapabilities = {}): Promise<RawHttp> {
    const client = new RawHttp(url)
    const clientInfo = { name: 'raw', version: '1.0.0' }
    const opened = await client.ask('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo })
    client.session = opened.headers.get('mcp-session-id') ?? undefined
    await opened.next(({ result }) => result !== undefined)
    await client.notify('notifications/initialized')
    return client
  }

  /** Sends whatever it is given. */
  async post(body: string | object, headers: Record<string, string> = {}): Promise<SseStream> {
    return this.#fetch('POST', { 'Content-Type': 'application/json', ...headers }, body)
  }

  ask(method: string, params: Wire = {}, id: RequestId = `h${++this.#lastId}`): Promise<SseStream> {
    return this.post({ jsonrpc: '2.0', id, method, params })
  }

  /** The answer to a request, as it is. */
  async answerTo(method: string, params: Wire = {}, id?: RequestId): Promise<Message> {
    const stream = await this.ask(method, params, id)
    return stream.next((message) => 'result' in message || 'error' in message)
  }

  async ok(method: string, params: Wire = {}): Promise<Wire> {
    const { result, error } = await this.answerTo(method, params)
    if (result === undefined) throw new Error(`${method} failed: ${JSON.stringify(error)}`)
    return result
  }

  async create(name: string, args: Wire = {}): Promise<string> {
    const { task } = (await this.ok('tools/call', { name, arguments: args, task: {} })) as { task: { taskId: string } }
    return task.taskId
  }

  notify(method: string, params: Wire = {}): Promise<SseStream> {
    return this.post({ jsonrpc: '2.0', method, params })
  }

  get(headers: Record<string, string> = {}): Promise<SseStream> {
    return this.#fetch('GET', headers)
  }

  delete(): Promise<SseStream> {
    return this.#fetch('DELETE')
  }

  /** Hangs up on every stream, also on those that are not open yet, and says no word from then on. */
  die(): void {
    this.#dead = true
    for (const hangUp of this.#open) hangUp.abort()
  }

  async #fetch(method: string, headers: Record<string, string> = {}, body?: string | object): Promise<SseStream> {
    const hangUp = new AbortController()
    if (this.#dead) hangUp.abort()
    this.#open.add(hangUp)
    const response = await fetch(this.#url, {
      method,
      headers: {
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': '2025-11-25',
        ...(this.session !== undefined && { 'Mcp-Session-Id': this.session }),
        ...headers
      },
      signal: hangUp.signal,
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) })
    })
    const stream = new SseStream(response, hangUp)
    stream.ended.finally(() => this.#open.delete(hangUp)).catch(() => undefined)
    return stream
  }
}
