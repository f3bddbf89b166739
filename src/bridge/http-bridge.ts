// Serves the server of a page as Streamable HTTP: guards the door, reads messages, and hands them to a revision's protocol.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { IntabError, toError } from '../errors.js'
import { readFrame, refuse, tooLong } from '../http/frame.js'
import { Guard, type GuardOptions } from './guard.js'
import type { PageSide } from './http-session.js'
import { defaultSessionOptions, HttpSessions, type SessionOptions } from './http-sessions.js'
import { ModernHttp } from '../http/modern-http.js'
import type { Handled, Protocol } from '../http/protocol.js'
import { jsonResponse, readBody, toWebRequest, writeResponse } from '../http/web-request.js'

export interface HttpBridgeOptions extends GuardOptions {
  /** Makes a transport to the page, not started. */
  connect(): PageSide
  /** 0 picks a free one. */
  port: number
  /** Bytes of one message. */
  maxMessage: number
  sessions?: Partial<SessionOptions>
  onerror(error: Error): void
}

export interface HttpBridge {
  url: string
  /** Answers open requests with the reason, and stops listening. */
  close(reason?: Error): Promise<void>
}

const path = '/mcp'

/** How long clients may take to read the last answers; milliseconds. */
const lastRead = 1_000

/** Rejects with `invalid_options` when it cannot listen on the port. */
export async function openHttpBridge(options: HttpBridgeOptions): Promise<HttpBridge> {
  const { connect, host, port, maxMessage, onerror } = options
  const guard = new Guard(options)
  const protocols: Protocol[] = [
    new ModernHttp(connect, onerror),
    new HttpSessions(connect, { ...defaultSessionOptions, ...options.sessions }, onerror)
  ]

  const handle = async (incoming: IncomingMessage, gone: AbortSignal): Promise<Handled> => {
    const refused = guard.refusal(incoming)
    if (refused !== undefined) {
      const response = jsonResponse(refused.status, refuse(-32000, refused.message))
      if (refused.status === 401) response.headers.set('WWW-Authenticate', 'Bearer')
      return { response }
    }
    if (incoming.method === 'OPTIONS') return { response: new Response(null, { status: 204 }) }
    const request = toWebRequest(incoming, gone)
    if (new URL(request.url).pathname !== path) {
      return { response: jsonResponse(404, refuse(-32000, `Not found: the server is at ${path}`)) }
    }
    let message: JSONRPCMessage | undefined
    const body = await readBody(incoming, maxMessage)
    if (body === undefined) {
      // The rest of the refused body may still be arriving.
      const response = jsonResponse(413, tooLong(maxMessage))
      response.headers.set('Connection', 'close')
      return { response }
    }
    if (incoming.method === 'POST') {
      const frame = readFrame(body)
      if ('refusal' in frame) return { response: jsonResponse(400, frame.refusal) }
      message = frame.message
    }
    const protocol = protocols.find((candidate) => candidate.takes({ request, message }))
    if (protocol === undefined) throw new Error('No protocol takes this request')
    return protocol.handle({ request, message })
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const cors = guard.corsHeaders(request)
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const handled = await handle(request, gone.signal).catch((thrown: unknown): Handled => {
      const error = toError(thrown)
      // A client that disconnected in the middle of its message did nothing, and reads no answer.
      if (request.complete) onerror(error)
      const status = error instanceof IntabError ? 503 : 500
      return { response: jsonResponse(status, refuse(-32603, error.message)) }
    })
    await writeResponse(handled, response, cors)
  }

  const answering = new Set<Promise<void>>()
  const server = createServer((request, response) => {
    const answered = answer(request, response)
      .catch((error: unknown) => {
        onerror(toError(error))
        response.destroy()
      })
      .finally(() => answering.delete(answered))
    answering.add(answered)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      const message = `Cannot listen on port ${port} of ${host} (${cause.message}): choose another with --port or --host`
      reject(new IntabError('invalid_options', message, undefined, { cause }))
    })
    server.listen(port, host, resolve)
  })
  const shown = host.includes(':') ? `[${host}]` : host
  return {
    url: `http://${shown}:${(server.address() as AddressInfo).port}${path}`,
    async close(reason = new IntabError('closed', 'The bridge was stopped')) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      await Promise.all(protocols.map((protocol) => protocol.close(reason)))
      const late = setTimeout(() => server.closeAllConnections(), lastRead)
      await Promise.all(answering)
      server.closeIdleConnections()
      server.closeAllConnections()
      await closed
      clearTimeout(late)
    }
  }
}
