// One client of 2025-11-25 in one process: its requests come by POST, and what it is told goes out on their streams.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http

import type { TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage, JSONRPCRequest, JSONRPCResponse, RequestId } from '@modelcontextprotocol/sdk/types.js'
import { IntabError } from '../errors.js'
import { isTaskRequestId } from '../ids.js'
import { EventStream } from '../http/event-stream.js'
import { refuse } from '../http/frame.js'
import { Outflow } from '../http/outflow.js'
import type { Handled } from '../http/protocol.js'
import { jsonResponse } from '../http/web-request.js'
import { cancellation, isRequest, isResponse } from '../link/json-rpc.js'
import type { AnswerableTransport } from '../session/session.js'

interface Open {
  stream: EventStream | undefined
  /** Hands out the response: a stream, or the answer alone. */
  respond(response: Response): void
}

/** Calls that may ask or take long are answered with a stream at once; others with what comes first. */
const isLong = ({ method }: JSONRPCRequest): boolean => method === 'tools/call' || method === 'tasks/result'

/** What every process tells its own connections by itself; all else is for one of them, wherever its client listens. */
const isForOne = (message: JSONRPCMessage): boolean =>
  'method' in message && /^notifications\/(cancelled|progress)$/.test(message.method)

/** The answer may come to any process, and only a task's question is known to all. */
const cannotAsk = (method: string): IntabError =>
  new IntabError(
    'missing_capability',
    `A handler of setup cannot ask the client (${method}) on a server of several processes: define the tool with taskTool() and ask by task`
  )

export interface ConnectionListeners {
  /** The client listens at another process, if anywhere. */
  onunheard(message: JSONRPCMessage): void
  /** The client does not listen here any more. */
  onleft(): void
  /** Nobody shows these questions any more. */
  onunseen(requestIds: string[]): void
  /** What belongs to no request reaches the client from now on. */
  onreachable(): void
}

export class HttpConnection implements AnswerableTransport {
  onmessage?: NonNullable<AnswerableTransport['onmessage']>
  onclose?: () => void
  onerror?: (error: Error) => void
  take?: AnswerableTransport['take']
  readonly #headers: Record<string, string>
  readonly #listeners: ConnectionListeners
  readonly #outflow = new Outflow()
  readonly #open = new Map<RequestId, Open>()
  readonly #ended = new AbortController()
  #listening: EventStream | undefined

  constructor(id: string, listeners: ConnectionListeners) {
    this.#headers = { 'Mcp-Session-Id': id }
    this.#listeners = listeners
  }

  get signal(): AbortSignal {
    return this.#ended.signal
  }

  /** True while a request or a stream is open. */
  get busy(): boolean {
    return this.#open.size > 0 || this.#listening !== undefined
  }

  get reachable(): boolean {
    return this.#listening !== undefined
  }

  start(): Promise<void> {
    return Promise.resolve()
  }

  async close(): Promise<void> {
    if (this.#ended.signal.aborted) return
    this.#ended.abort(new IntabError('closed', 'The session has ended'))
    for (const open of this.#open.values()) this.#end(open)
    this.#open.clear()
    this.#listening?.end()
    this.onclose?.()
  }

  async send(message: JSONRPCMessage, { relatedRequestId }: TransportSendOptions = {}): Promise<void> {
    if (isResponse(message)) return this.#respond(message)
    const open = relatedRequestId === undefined ? undefined : this.#open.get(relatedRequestId)
    const stream = open === undefined ? (this.#asking(message) ?? this.#listening) : this.#streamOf(open)
    if (isRequest(message)) {
      if (!isTaskRequestId(message.id)) throw cannotAsk(message.method)
      if (stream === undefined) throw new IntabError('closed', 'The client has no stream open on which to ask')
      stream.asked.add(message.id)
    }
    // A notification that nobody is there to hear is lost to nobody.
    if (stream !== undefined) stream.write(message)
    else if (isForOne(message)) this.#listeners.onunheard(message)
  }

  /** Tells what another process could not, if the client listens here. */
  tell(message: JSONRPCMessage): void {
    this.#listening?.write(message)
  }

  /** Whether the question is on a stream that is open. */
  shows(requestId: string): boolean {
    return [this.#listening, ...[...this.#open.values()].map(({ stream }) => stream)].some((stream) =>
      stream?.asked.has(requestId)
    )
  }

  /** Takes what the client has sent beside requests; resolves when what it says is safe. */
  async receive(message: JSONRPCMessage): Promise<void> {
    if ('method' in message && message.method === 'notifications/cancelled') {
      const open = this.#open.get(message.params?.requestId as RequestId)
      // It gets no response.
      if (open && this.#open.delete(message.params?.requestId as RequestId)) this.#end(open)
    }
    const taken = this.take?.(message)
    if (taken === undefined) this.onmessage?.(message)
    else await taken
  }

  async post(message: JSONRPCMessage): Promise<Handled> {
    if (!isRequest(message)) {
      await this.receive(message)
      return { response: new Response(null, { status: 202 }) }
    }
    if (this.#open.has(message.id)) {
      const text = `The id ${JSON.stringify(message.id)} belongs to a request that is not answered yet`
      return { response: jsonResponse(400, refuse(-32600, text, message.id)) }
    }
    const response = await new Promise<Response>((resolve) => {
      const open: Open = { stream: undefined, respond: resolve }
      this.#open.set(message.id, open)
      if (isLong(message)) this.#streamOf(open, () => this.#leave(message, open))
      this.onmessage?.(message)
    })
    return { response, outflow: this.#outflow }
  }

  /** The stream of a GET, on which the client hears what belongs to no request. A second one takes the place of the first. */
  listen(): Handled {
    this.#listening?.end()
    const stream = new EventStream(this.#headers, () => undefined)
    this.#listening = stream
    this.#listeners.onreachable()
    const onend = (): void => {
      if (this.#listening === stream) this.#listening = undefined
      this.#unseen(stream)
      this.#listeners.onleft()
    }
    return { response: stream.response, outflow: this.#outflow, onend }
  }

  /** The open stream on which the question was asked that the message takes back. */
  #asking(message: JSONRPCMessage): EventStream | undefined {
    if (!('method' in message) || message.method !== 'notifications/cancelled') return undefined
    const requestId = message.params?.requestId as RequestId
    return [...this.#open.values()].map(({ stream }) => stream).find((stream) => stream?.asked.has(requestId))
  }

  #streamOf(open: Open, onleft: () => void = () => undefined): EventStream {
    if (open.stream === undefined) {
      open.stream = new EventStream(this.#headers, onleft)
      open.respond(open.stream.response)
    }
    return open.stream
  }

  #respond(message: JSONRPCResponse): void {
    const open = message.id === undefined ? undefined : this.#open.get(message.id)
    if (open === undefined || message.id === undefined) return
    this.#open.delete(message.id)
    if (open.stream === undefined) open.respond(Response.json(message, { headers: this.#headers }))
    else {
      open.stream.write(message)
      open.stream.end()
    }
  }

  #end(open: Open): void {
    if (open.stream) this.#unseen(open.stream)
    this.#streamOf(open).end()
  }

  /** Its client went away: a wait for a result need not go on, a call does. */
  #leave({ id, method }: JSONRPCRequest, open: Open): void {
    if (this.#open.get(id) !== open) return
    this.#open.delete(id)
    if (open.stream) this.#unseen(open.stream)
    if (method === 'tasks/result') this.onmessage?.(cancellation(id, 'The client closed the stream'))
  }

  #unseen({ asked }: EventStream): void {
    const ids = [...asked].filter((id) => typeof id === 'string')
    if (ids.length > 0) this.#listeners.onunseen(ids)
  }
}
