// Serves the server of a page as Streamable HTTP on 127.0.0.1: one connection to the page's worker for each session.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { isInitializeRequest, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { IntabError, toError } from '../errors.js'
import { corsHeaders, refusal } from './guard.js'
import { HttpSession } from './http-session.js'
import { isModernPost, ModernHttp } from './modern-http.js'
import { relay } from './relay.js'
import { errorResponse, readBody, toWebRequest, writeResponse } from './web-request.js'

export interface HttpBridgeOptions {
  /** Makes a transport to the page, not started. */
  connect(): Transport
  /** 0 for any that is free. */
  port: number
  onerror(error: Error): void
}

export interface HttpBridge {
  url: string
  close(): Promise<void>
}

const path = '/mcp'

/** Rejects with `invalid_options` when the port cannot be had. */
export async function openHttpBridge({ connect, port, onerror }: HttpBridgeOptions): Promise<HttpBridge> {
  const sessions = new Map<string, HttpSession>()

  const modern = new ModernHttp(connect, onerror)

  const openSession = async (): Promise<HttpSession> => {
    const session = new HttpSession()
    await relay(session, connect(), onerror)
    const { onclose } = session
    sessions.set(session.id, session)
    session.onclose = () => {
      sessions.delete(session.id)
      onclose?.()
    }
    return session
  }

  const answer = async (
    request: IncomingMessage,
    body: string
  ): Promise<Awaited<ReturnType<HttpSession['handle']>> | Response> => {
    const sessionId = request.headers['mcp-session-id']
    const known = sessions.get(String(sessionId))
    if (known) return known.handle(toWebRequest(request, body))
    if (sessionId !== undefined) return errorResponse(404, -32001, 'Session not found')
    const message = request.method === 'POST' ? parse(body) : undefined
    if (request.method === 'POST' && message === undefined) return errorResponse(400, -32700, 'Parse error')
    if (!isInitializeRequest(message))
      return errorResponse(400, -32000, 'Bad Request: no Mcp-Session-Id, no initialize')
    const session = await openSession()
    const handled = await session.handle(toWebRequest(request, body))
    // It keeps its session only if the SDK took its first request.
    if (!handled.response.ok) await session.close()
    return handled
  }

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refused = refusal(request)
    if (refused !== undefined) return writeResponse(errorResponse(403, -32000, refused), response, {})
    const cors = corsHeaders(request)
    if (request.method === 'OPTIONS') return writeResponse(new Response(null, { status: 204 }), response, cors)
    if (new URL(request.url ?? '/', 'http://localhost').pathname !== path) {
      return writeResponse(errorResponse(404, -32000, `Not found: the server is at ${path}`), response, cors)
    }
    const body = await readBody(request)
    const message = request.method === 'POST' ? parse(body) : undefined
    if (isModernPost(request.headers, message)) {
      const gone = new AbortController()
      response.once('close', () => gone.abort())
      return writeResponse(await modern.handle(request.headers, message as JSONRPCMessage, gone.signal), response, cors)
    }
    const answered = await answer(request, body)
    if (answered instanceof Response) return writeResponse(answered, response, cors)
    await writeResponse(answered.response, response, cors).finally(answered.onend)
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((thrown: unknown) => {
      const error = toError(thrown)
      onerror(error)
      if (response.headersSent) {
        response.destroy()
        return
      }
      const status = error instanceof RangeError ? 413 : error instanceof IntabError ? 503 : 500
      writeResponse(errorResponse(status, -32603, error.message), response, {}).catch(onerror)
    })
  })
  // A person may think about a question for as long as it takes.
  server.requestTimeout = 0
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      const message = `Port ${port} of 127.0.0.1 cannot be had (${cause.message}): choose another with --port`
      reject(new IntabError('invalid_options', message, undefined, { cause }))
    })
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    async close() {
      await Promise.all([modern.close(), ...[...sessions.values()].map((session) => session.close())])
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    }
  }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
