// Who comes to the bridge over HTTP without a session.

import { connect } from 'node:net'
import type { RequestId } from '@modelcontextprotocol/sdk/types.js'
import { expect } from 'vitest'
import { MODERN } from '../../src/modern/keys.js'
import { envelope } from '../support/modern-tab.js'
import type { Random } from '../support/random.js'
import { RawHttp } from '../support/raw-http.js'

export const isAnswer = (message: { id?: RequestId; method?: string }, id: RequestId): boolean =>
  message.id === id && message.method === undefined

/** On a socket of its own: the server's answer, if any, is Node's. */
export function brokenBytes(url: string, random: Random): Promise<void> {
  const text = random.pick([
    'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{"json',
    'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    'GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nMcp-Ses',
    'nonsense\r\n\r\n',
    '\u0000\u0001\u0002',
    ''
  ])
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () =>
      socket.write(String(text), () => socket.destroy())
    )
    socket.on('error', () => undefined)
    socket.on('close', () => resolve())
  })
}

/** A call of revision 2026-07-28: answered once, refused for a header that lacks, or hung up on. */
export async function modern(url: string, random: Random, id: RequestId): Promise<void> {
  const client = new RawHttp(url)
  const name = random.pick(['echo', 'quick', 'bigint', 'held', 'ask', 'none']) ?? ''
  const isNamed = random.chance(0.8)
  const headers = {
    'MCP-Protocol-Version': MODERN,
    'Mcp-Method': 'tools/call',
    ...(isNamed && { 'Mcp-Name': name })
  }
  const params = { name, arguments: {}, _meta: envelope() }
  const asked = client.post({ jsonrpc: '2.0', id, method: 'tools/call', params }, headers)
  if (isNamed && (name === 'held' || random.chance(0.2))) {
    client.die()
    await asked.catch(() => undefined)
    return
  }
  const stream = await asked
  const body = await stream.ended
  const heard = stream.messages.length > 0 ? stream.messages : [JSON.parse(body) as { id?: RequestId }]
  expect(heard.filter((message) => isAnswer(message, id))).toHaveLength(1)
  if (!isNamed) expect(stream.status).toBe(400)
}
