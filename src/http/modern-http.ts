// Streamable HTTP of MCP 2026-07-28: each POST is a request of its own, answered with JSON or with a stream, and ended by
// whoever closes it. https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http

import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage, JSONRPCRequest, RequestId } from '@modelcontextprotocol/sdk/types.js'
import { invalidParams, RpcError, toError } from '../errors.js'
import { cancellation, failure, isRequest, isResponse, type RelatedInfo } from '../link/json-rpc.js'
import { isModern, isObject, metaOf } from '../modern/envelope.js'
import { META, MODERN } from '../modern/keys.js'
import type { JsonObject } from '../types.js'
import { EventStream } from './event-stream.js'
import { refuse } from './frame.js'
import { Outflow } from './outflow.js'
import type { Handled, Incoming, Protocol } from './protocol.js'
import { jsonResponse } from './web-request.js'

interface Open {
  id: RequestId
  /** Called with each message of the request; the last is its response. */
  hear(message: JSONRPCMessage): void
}

const statuses = new Map([
  [-32601, 404],
  [-32602, 400],
  [-32020, 400],
  [-32021, 400],
  [-32022, 400]
])

/** Whether a POST without a session belongs to this revision: its body says so, or its headers. */
export function isModernPost(headers: Headers, message: JSONRPCMessage | undefined): boolean {
  if (headers.has('mcp-session-id') || !isObject(message)) return false
  const version = headers.get('mcp-protocol-version')
  const isLater = version !== null && version >= MODERN
  const { method, params } = message
  // Whoever initializes speaks an earlier revision, whatever else its headers say.
  if (method === 'initialize' && !isModern(method, params)) return false
  return isLater || headers.has('mcp-method') || (typeof method === 'string' && isModern(method, params))
}

export class ModernHttp implements Protocol {
  readonly #connect: () => Transport
  readonly #onerror: (error: Error) => void
  readonly #open = new Map<string, Open>()
  #page: Promise<Transport> | undefined
  #last = 0

  constructor(connect: () => Transport, onerror: (error: Error) => void) {
    this.#connect = connect
    this.#onerror = onerror
  }

  takes({ request, message }: Incoming): boolean {
    return isModernPost(request.headers, message)
  }

  /** Resolves with the response once its first message is there. */
  async handle({ request: { headers, signal }, message }: Incoming): Promise<Handled> {
    if (message === undefined || isResponse(message)) {
      return { response: jsonResponse(400, refuse(-32600, 'A client sends no responses in this revision')) }
    }
    if (!isRequest(message)) return { response: new Response(null, { status: 202 }) }
    const mismatch = mismatchIn(headers, message)
    if (mismatch !== undefined) return { response: answered(failure(message.id, mismatch)) }
    const page = await this.#connected()
    const response = await new Promise<Response>((resolve) => this.#ask(page, message, signal, resolve))
    return { response, outflow: new Outflow() }
  }

  /** True while a request is open. */
  get busy(): boolean {
    return this.#open.size > 0
  }

  async close(reason: Error): Promise<void> {
    for (const id of this.#open.keys()) this.#hear(failure(id, reason))
    const page = await this.#page?.catch(() => undefined)
    await page?.close()
  }

  #ask(page: Transport, message: JSONRPCRequest, gone: AbortSignal, resolve: (response: Response) => void): void {
    // Clients count their ids each for itself, and share one connection.
    const id = `http-${++this.#last}`
    let stream: EventStream | undefined
    const send = (outgoing: JSONRPCMessage): void => {
      page.send(outgoing).catch((error: unknown) => this.#hear(failure(id, error)))
    }
    const leave = (): void => {
      if (this.#open.delete(id)) send(cancellation(id, 'The client closed the stream'))
      // Nobody reads this response; what waits for one must end.
      resolve(new Response(null, { status: 204 }))
    }
    if (gone.aborted) return leave()
    gone.addEventListener('abort', leave, { once: true })
    this.#open.set(id, {
      id: message.id,
      hear(heard) {
        const isLast = isResponse(heard)
        if (isLast) gone.removeEventListener('abort', leave)
        if (isLast && stream === undefined) return resolve(answered(heard))
        if (stream === undefined) {
          stream = new EventStream({}, leave)
          resolve(stream.response)
        }
        stream.write(heard)
        if (isLast) stream.end()
      }
    })
    send({ ...message, id })
  }

  /** One connection for all; a new one when the page was closed. */
  #connected(): Promise<Transport> {
    this.#page ??= this.#start().catch((error: unknown) => {
      this.#page = undefined
      throw error
    })
    return this.#page
  }

  async #start(): Promise<Transport> {
    const page = this.#connect()
    page.onmessage = (message: JSONRPCMessage, extra?: RelatedInfo) => this.#hear(message, extra?.relatedRequestId)
    page.onerror = this.#onerror
    page.onclose = () => {
      this.#page = undefined
      for (const id of this.#open.keys()) this.#hear(failure(id, new Error('The page was closed')))
    }
    await page.start()
    return page
  }

  #hear(message: JSONRPCMessage, related?: RequestId): void {
    const about = isResponse(message) ? message.id : (subscriptionOf(message) ?? related)
    const open = this.#open.get(String(about))
    if (open === undefined) return
    if (isResponse(message)) this.#open.delete(String(about))
    try {
      open.hear(renamed(message, open.id))
    } catch (error) {
      this.#onerror(toError(error))
      // Whoever waits for an answer that cannot be written gets an error instead of silence.
      if (isResponse(message)) open.hear(failure(open.id, error))
    }
  }
}

const subscriptionOf = (message: JSONRPCMessage): RequestId | undefined => {
  const id = 'params' in message ? metaOf(message.params)[META.subscription] : undefined
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}

/** As the client knows its request. */
function renamed(message: JSONRPCMessage, id: RequestId): JSONRPCMessage {
  if (isResponse(message)) return { ...message, id }
  if (subscriptionOf(message) === undefined || !('params' in message)) return message
  const { params } = message
  return { ...message, params: { ...params, _meta: { ...params?._meta, [META.subscription]: id } } }
}

function answered(message: JSONRPCMessage): Response {
  const status = 'error' in message ? (statuses.get(message.error.code) ?? 200) : 200
  return Response.json(message, { status })
}

/** Where the name of what a request is about stands in its params. */
const namedBy = (method: string): string | undefined => {
  if (method === 'tools/call' || method === 'prompts/get') return 'name'
  if (method === 'resources/read') return 'uri'
  return /^tasks\/(get|update|cancel)$/.test(method) ? 'taskId' : undefined
}

/** `=?base64?…?=` carries what a header cannot. */
const decoded = (header: string): string => {
  const [, base64] = /^=\?base64\?(.*)\?=$/.exec(header) ?? []
  return base64 === undefined ? header : Buffer.from(base64, 'base64').toString('utf8')
}

/** The error for headers that say something else than the body, or a body that lacks what the headers promise. */
function mismatchIn(headers: Headers, { method, params }: JSONRPCRequest): RpcError | undefined {
  const version = metaOf(params)[META.version]
  if (version === undefined) {
    return invalidParams(`Invalid params: _meta['${META.version}'] is missing`)
  }
  const field = namedBy(method)
  const body = (params ?? {}) as JsonObject
  const pairs: [name: string, value: unknown][] = [
    ['MCP-Protocol-Version', version],
    ['Mcp-Method', method],
    ...(field !== undefined && typeof body[field] === 'string' ? [['Mcp-Name', body[field]] as [string, unknown]] : [])
  ]
  for (const [name, value] of pairs) {
    const given = headers.get(name)
    if (given === null) return new RpcError(-32020, `Header ${name} is missing: send '${String(value)}'`)
    if (decoded(given.trim()) === value) continue
    return new RpcError(-32020, `Header ${name} is '${given}', but the body says '${String(value)}'`)
  }
  return undefined
}
