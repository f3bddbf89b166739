// Reads a request of Node's, finds whose it is, and writes the answer.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { IntabError, toError } from '../errors.js'
import { defaultMaxMessage, readFrame, refuse, tooLong } from '../http/frame.js'
import type { Handled, Incoming } from '../http/protocol.js'
import { jsonResponse, readBody, toWebRequest, writeResponse } from '../http/web-request.js'

export interface Answering {
  origins: readonly string[]
  /** Undefined when the request may not come in. */
  owner(request: Request): Promise<string | undefined>
  answer(incoming: Incoming, owner: string): Promise<Handled>
  onerror(error: Error): void
}

/** Of a name by which tasks are found, in characters. */
const longestOwner = 1_000

/** Never throws. */
export function handlerOf(answering: Answering): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    respond(answering, request, response).catch((error: unknown) => {
      answering.onerror(toError(error))
      response.destroy()
    })
  }
}

async function respond(answering: Answering, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const handled = await handle(answering, request, gone.signal).catch((thrown: unknown): Handled => {
    const error = toError(thrown)
    // A client that hung up in the middle of its message hears nothing, and has done nothing.
    if (request.complete) answering.onerror(error)
    const code = error instanceof IntabError ? error.code : undefined
    const refusal = refuse(-32603, code === undefined ? 'Internal error' : error.message)
    if (code !== undefined) refusal.error.data = { code }
    return { response: jsonResponse(code === 'storage_busy' ? 503 : 500, refusal) }
  })
  await writeResponse(handled, response, corsHeaders(request, answering.origins))
}

async function handle(answering: Answering, incoming: IncomingMessage, gone: AbortSignal): Promise<Handled> {
  const { origin } = incoming.headers
  if (origin !== undefined && !answering.origins.includes(origin)) {
    const text = `Origin ${origin} is not allowed: add it to the origins of serveOnDbos()`
    return { response: jsonResponse(403, refuse(-32000, text)) }
  }
  if (incoming.method === 'OPTIONS') return { response: new Response(null, { status: 204 }) }
  const request = toWebRequest(incoming, gone)
  const owner = await answering.owner(request)
  if (owner === undefined) {
    const response = jsonResponse(401, refuse(-32000, 'This server needs `Authorization` with a token that it knows'))
    response.headers.set('WWW-Authenticate', 'Bearer')
    return { response }
  }
  if (typeof owner !== 'string' || owner === '' || owner.length > longestOwner) {
    throw new IntabError('invalid_options', `owner(request) must give a string of 1 to ${longestOwner} characters`)
  }
  const body = await readBody(incoming, defaultMaxMessage)
  if (body === undefined) {
    // The rest of a body that nobody wants may still be on its way.
    const response = jsonResponse(413, tooLong(defaultMaxMessage, 'send less at once'))
    response.headers.set('Connection', 'close')
    return { response }
  }
  let message: JSONRPCMessage | undefined
  if (incoming.method === 'POST') {
    const frame = readFrame(body)
    if ('refusal' in frame) return { response: jsonResponse(400, frame.refusal) }
    message = frame.message
  }
  return answering.answer({ request, message }, owner)
}

/** What lets a page of an allowed origin read the answers. */
function corsHeaders({ headers }: IncomingMessage, origins: readonly string[]): Record<string, string> {
  const { origin } = headers
  if (origin === undefined || !origins.includes(origin)) return {}
  const asked = headers['access-control-request-headers']
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Methods': 'GET, POST, DELETE, OPTIONS',
    'Access-Control-Allow-Headers': asked ?? 'Accept, Authorization, Content-Type, Last-Event-ID, Mcp-Session-Id',
    'Access-Control-Expose-Headers': 'Mcp-Session-Id, WWW-Authenticate',
    Vary: 'Origin, Access-Control-Request-Headers'
  }
}
