// One client that speaks Streamable HTTP: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http

import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage, JSONRPCRequest, JSONRPCResponse, RequestId } from '@modelcontextprotocol/sdk/types.js'
import { toError } from '../errors.js'
import { failure, isRequest, isResponse } from '../link/json-rpc.js'
import { isSafeToResend } from '../link/resend.js'
import { refuse } from '../http/frame.js'
import { Outflow } from '../http/outflow.js'
import { type Patience, Presence } from './presence.js'
import type { Handled } from '../http/protocol.js'
import { AskedQuestions, type Place } from './questions.js'
import { cancelledBy } from './relay.js'
import type { Replay } from './replay.js'
import { jsonResponse } from '../http/web-request.js'

const relatedTask = 'io.modelcontextprotocol/related-task'

/** Milliseconds after which a client that lost its stream should come again. */
const retryInterval = 500

/** A connection to the page that can be left for a while: what its client shows, others may have then. */
export interface PageSide extends Transport {
  suspend(): void
  resume(): void
}

/** A request of the client that waits for its answer. */
interface Open {
  request: JSONRPCRequest
  /** The SDK's name for its stream, once something was sent on it. */
  stream?: string
  /** How often its client has the stream open: one that is resumed may not have ended for us yet. */
  live: number
}

/** The SDK's transport, which drops what it has no stream for; a question of a task waits here for one instead. */
export class HttpSession implements Transport {
  onmessage?: Transport['onmessage']
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  readonly id = crypto.randomUUID() as string
  readonly #http: WebStandardStreamableHTTPServerTransport
  readonly #page: Pick<PageSide, 'suspend' | 'resume'>
  readonly #replay: Replay
  readonly #presence: Presence
  readonly #outflow = new Outflow()
  readonly #open = new Map<RequestId, Open>()
  readonly #questions: AskedQuestions
  /** Open streams that the client asked for with GET. */
  #listening = 0

  constructor(page: Pick<PageSide, 'suspend' | 'resume'>, replay: Replay, patience: Patience) {
    this.#page = page
    this.#replay = replay
    this.#http = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => this.id,
      eventStore: replay,
      retryInterval
    })
    this.#questions = new AskedQuestions(replay, {
      placeFor: (question, related) => this.#placeFor(question, related),
      isOpen: ({ on }) => (on === undefined ? this.#listening > 0 : (this.#open.get(on)?.live ?? 0) > 0),
      post: (question, { on }) => {
        this.#post(question, on).catch((error: unknown) => this.onerror?.(toError(error)))
      }
    })
    this.#presence = new Presence(patience, {
      away: () => this.#leave(),
      back: () => this.#page.resume(),
      expired: () => this.close().catch((error: unknown) => this.onerror?.(toError(error)))
    })
  }

  /** True when nobody has had a stream for a while. */
  get away(): boolean {
    return this.#presence.away
  }

  async start(): Promise<void> {
    this.#http.onmessage = (message: JSONRPCMessage) => this.#receive(message)
    this.#http.onclose = () => {
      this.#presence.end()
      this.#replay.end()
      this.onclose?.()
    }
    this.#http.onerror = (error) => this.onerror?.(error)
    await this.#http.start()
  }

  async send(message: JSONRPCMessage, { relatedRequestId }: TransportSendOptions = {}): Promise<void> {
    if (isResponse(message)) return this.#respond(message)
    if (isRequest(message)) {
      this.#questions.ask(message, relatedRequestId)
      if (this.#presence.away) this.#leave()
      return
    }
    const withdrawn = cancelledBy(message)
    if (withdrawn === undefined || !this.#questions.has(withdrawn)) {
      return this.#post(message, relatedRequestId ?? this.#ownerOf(message.params?.progressToken))
    }
    const shown = this.#questions.withdraw(withdrawn)
    if (shown !== undefined) await this.#post(message, shown.on)
  }

  close(): Promise<void> {
    return this.#http.close()
  }

  async handle(request: Request, message: JSONRPCMessage | undefined): Promise<Handled> {
    const leave = this.#presence.enter()
    try {
      const refused = (message && this.#refusal(message)) ?? this.#pastStream(request)
      const response = refused ?? (await this.#take(request, message))
      const onend = response.ok && refused === undefined ? this.#begin(request, message, leave) : leave
      return { response, onend, outflow: this.#outflow }
    } catch (error) {
      leave()
      throw error
    }
  }

  async #take(request: Request, message: JSONRPCMessage | undefined): Promise<Response> {
    if (!message || !isRequest(message)) return this.#http.handleRequest(request, message && { parsedBody: message })
    const open: Open = { request: message, live: 0 }
    this.#open.set(message.id, open)
    const before = this.#replay.count
    const taking = this.#http.handleRequest(request, { parsedBody: message })
    // The priming event, if its client can have one, was stored in this turn.
    if (this.#replay.count > before) open.stream = this.#replay.newest
    const response = await taking
    if (!response.ok) this.#open.delete(message.id)
    return response
  }

  #receive(message: JSONRPCMessage): void {
    if (isResponse(message) && message.id !== undefined) this.#questions.answered(message.id)
    this.onmessage?.(message)
    const cancelled = cancelledBy(message)
    if (cancelled !== undefined) this.#drop(cancelled)
    else if (isRequest(message)) this.#questions.settle()
  }

  async #respond(response: JSONRPCResponse): Promise<void> {
    // Otherwise it was cancelled meanwhile, and its stream has ended.
    if (response.id === undefined || !this.#open.delete(response.id)) return
    if (this.#presence.away) this.#leave()
    await this.#http.send(response)
  }

  /** Ends the stream of a request that its client cancelled: it gets no response. */
  #drop(id: RequestId): void {
    if (!this.#open.has(id) || this.#open.get(id)?.request.method === 'initialize') return
    this.#open.delete(id)
    this.#http.closeSSEStream(id)
    // The SDK forgets a request once it was answered; its stream is closed, so that nobody hears this.
    this.#replay.discard(id)
    this.#http.send(failure(id, new Error('Cancelled'))).catch(() => undefined)
  }

  #refusal(message: JSONRPCMessage): Response | undefined {
    if (isRequest(message) && this.#open.has(message.id)) {
      const text = `The id ${JSON.stringify(message.id)} belongs to a pending request: use a new id for each request`
      return jsonResponse(400, refuse(-32600, text, message.id))
    }
    if (!isResponse(message) || (message.id !== undefined && this.#questions.has(message.id))) return undefined
    const text = `No request ${JSON.stringify(message.id)} is pending: it was answered, withdrawn, or moved to another client`
    return jsonResponse(400, refuse(-32600, text))
  }

  /** What was left to say on a stream that is over. */
  #pastStream({ method, headers }: Request): Response | undefined {
    const lastEventId = method === 'GET' ? headers.get('last-event-id') : null
    if (lastEventId === null) return undefined
    const stream = this.#replay.streamOf(lastEventId)
    if (stream === undefined)
      return jsonResponse(400, refuse(-32600, `Last-Event-ID ${lastEventId} is not from this session`))
    if (stream.open) return undefined
    const events = this.#replay.after(lastEventId)
    // 204 tells an EventSource not to reconnect: https://html.spec.whatwg.org/multipage/server-sent-events.html
    if (events.length === 0) return new Response(null, { status: 204 })
    const body = events.map(([id, text]) => `event: message\nid: ${id}\ndata: ${text}\n\n`).join('')
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream', 'Mcp-Session-Id': this.id } })
  }

  /** A stream begins: a GET's, or one for a request, maybe resumed. The returned function is called at its end. */
  #begin({ method, headers }: Request, message: JSONRPCMessage | undefined, leave: () => void): () => void {
    const lastEventId = method === 'GET' ? headers.get('last-event-id') : null
    const resumed = lastEventId === null ? undefined : this.#replay.streamOf(lastEventId)
    const isGet = method === 'GET' && resumed?.isGet !== false
    const open = resumed
      ? [...this.#open.values()].find(({ stream }) => stream === resumed.stream)
      : message && isRequest(message) && this.#open.get(message.id)
    if (isGet) this.#listening += 1
    if (open) open.live += 1
    this.#questions.settle()
    return () => {
      if (isGet) this.#listening -= 1
      if (open) open.live -= 1
      this.#questions.settle()
      leave()
    }
  }

  #placeFor(question: JSONRPCRequest, related: RequestId | undefined): Place | undefined {
    if (related !== undefined && this.#open.get(related)?.live) return { on: related }
    const taskId = question.params?._meta?.[relatedTask]?.taskId
    for (const [id, { request, live }] of this.#open) {
      if (live && request.method === 'tasks/result' && request.params?.taskId === taskId) return { on: id }
    }
    return this.#listening > 0 ? { on: undefined } : undefined
  }

  /** Sends on the stream of a request, also when that is to be resumed; else on the client's GET, if it has one. */
  async #post(message: JSONRPCMessage, on: RequestId | undefined): Promise<void> {
    const open = on === undefined ? undefined : this.#open.get(on)
    if (open === undefined && this.#listening === 0) return
    const sent = this.#http.send(message, open && { relatedRequestId: open.request.id })
    // It was stored in this turn.
    if (open) open.stream = this.#replay.newest
    await sent
  }

  /** Lets others have the questions, unless a call is under way that would be lost and asks nothing. */
  #leave(): void {
    const mayBeLost = ({ request }: Open): boolean => request.method === 'tools/call' || !isSafeToResend(request)
    if (this.#questions.size > 0 || ![...this.#open.values()].some(mayBeLost)) this.#page.suspend()
  }

  #ownerOf(token: unknown): RequestId | undefined {
    if (token === undefined) return undefined
    for (const [id, { request }] of this.#open) if (request.params?._meta?.progressToken === token) return id
    return undefined
  }
}
