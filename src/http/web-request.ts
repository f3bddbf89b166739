// Node's requests and responses as the web's, which the SDK's transport speaks.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { finished } from 'node:stream/promises'
import type { Refusal } from './frame.js'
import type { Handled } from './protocol.js'

/** What is read and thrown away of a body that is too long, so that its sender gets to read the answer; bytes. */
const mostDrained = 64 * 1024 * 1024

/** Undefined for a body of more bytes than the limit. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > limit + mostDrained) break
    if (length <= limit) chunks.push(chunk)
    else chunks.length = 0
  }
  return length > limit ? undefined : Buffer.concat(chunks)
}

/** Without its body; `signal` aborts when its sender is gone. */
export function toWebRequest({ method = 'GET', url = '/', headers }: IncomingMessage, signal: AbortSignal): Request {
  const pairs = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]]
  )
  return new Request(new URL(url, 'http://localhost'), { method, headers: pairs, signal })
}

/** Resolves when all was written, or whoever asked is gone. */
export async function writeResponse(
  { response: from, onend, outflow }: Handled,
  to: ServerResponse,
  extra: Record<string, string>
): Promise<void> {
  const reader = from.body?.getReader()
  try {
    to.writeHead(from.status, { ...Object.fromEntries(from.headers), ...extra })
    // A client should know at once that its stream is open.
    to.flushHeaders()
    const gone = finished(to).then(
      () => reader?.cancel(),
      () => reader?.cancel()
    )
    for (;;) {
      const chunk = await reader?.read()
      if (chunk === undefined || chunk.done) break
      if (outflow) outflow.write(to, chunk.value)
      else to.write(chunk.value)
    }
    to.end()
    await gone
  } finally {
    onend?.()
  }
}

export const jsonResponse = (status: number, body: Refusal): Response => Response.json(body, { status })
