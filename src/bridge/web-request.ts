// Node's requests and responses as the web's, which the SDK's transport speaks.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { finished } from 'node:stream/promises'

/** More than the server takes by default: it is the one to refuse. */
const longestBody = 32 * 1024 * 1024

/** Rejects with a RangeError for a body that is too long. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > longestBody) throw new RangeError(`A message may have ${longestBody} bytes at most`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

export function toWebRequest({ method = 'GET', url = '/', headers }: IncomingMessage, body: string): Request {
  const pairs = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]]
  )
  return new Request(new URL(url, 'http://localhost'), {
    method,
    headers: pairs,
    ...(method === 'POST' && { body })
  })
}

/** Resolves when all was written, or whoever asked is gone. */
export async function writeResponse(from: Response, to: ServerResponse, extra: Record<string, string>): Promise<void> {
  to.writeHead(from.status, { ...Object.fromEntries(from.headers), ...extra })
  // A client should know at once that its stream is open.
  to.flushHeaders()
  const reader = from.body?.getReader()
  const gone = finished(to).then(
    () => reader?.cancel(),
    () => reader?.cancel()
  )
  for (;;) {
    const chunk = await reader?.read()
    if (chunk === undefined || chunk.done) break
    to.write(chunk.value)
  }
  to.end()
  await gone
}

/** An error as JSON-RPC over HTTP says it. */
export const errorResponse = (status: number, code: number, message: string): Response =>
  Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status })
