// The table of limits and refusals in docs/bridge.md, over HTTP; the row is the title's first words, see table.test.ts.

import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import type { HttpBridgeOptions } from '../../src/bridge/http-bridge.js'
import { RawHttp, type SseStream } from '../support/raw-http.js'
import { text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'
import { worldBridge } from '../support/world-bridge.js'

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
const origin = 'http://localhost:5173'

async function open(options: Partial<HttpBridgeOptions> = {}, world = new World()) {
  const bridge = await worldBridge(world, options)
  return { bridge, client: await RawHttp.open(bridge.url) }
}

/** Status and error of a refusal. */
async function refusalOf(stream: SseStream): Promise<{ status: number; id: unknown; code: unknown; message: string }> {
  const { id, error } = JSON.parse(await stream.ended) as { id: unknown; error: { code: number; message: string } }
  return { status: stream.status, id, ...error }
}

/** Sends bytes as they are on a socket of its own; resolves with all that comes until it ends. */
function raw(url: string, bytes: string, hangUp = false): Promise<string> {
  const { port } = new URL(url)
  return new Promise((resolve, reject) => {
    let heard = ''
    const socket = connect(Number(port), '127.0.0.1', () => {
      if (hangUp) socket.end(bytes, () => socket.destroy())
      else socket.write(bytes)
    })
    socket.on('data', (chunk) => (heard += String(chunk)))
    socket.on('close', () => resolve(heard))
    socket.on('error', (error) => (hangUp ? resolve(heard) : reject(error)))
  })
}

describe('messages', () => {
  test('a line or body that is not JSON: 400 with -32700 and id null', async () => {
    const { client } = await open()
    expect(await refusalOf(await client.post('{"jsonrpc":'))).toMatchObject({ status: 400, id: null, code: -32700 })
    expect(await client.ok('ping')).toEqual({})
  })

  test('JSON that is not a JSON-RPC message: 400 with -32600 and its id', async () => {
    const { client } = await open()
    expect(await refusalOf(await client.post({ id: 5, method: 'ping' }))).toMatchObject({
      status: 400,
      id: 5,
      code: -32600
    })
    expect(await refusalOf(await client.post({ ...ping, params: [] }))).toMatchObject({ id: 1, code: -32600 })
    expect(await client.ok('ping')).toEqual({})
  })

  test('a batch: 400 with -32600', async () => {
    const { client } = await open()
    const refused = await refusalOf(await client.post([ping, { ...ping, id: 2 }]))
    expect(refused).toMatchObject({
      status: 400,
      id: null,
      code: -32600,
      message: expect.stringContaining('no batches')
    })
  })

  test('the id of a pending request: 400 with -32600, and the first is answered', async () => {
    const { client } = await open(
      {},
      new World({ tools: [toolOf('slow', () => new Promise((end) => ends.push(() => end(text('slow')))))] })
    )
    const ends: (() => void)[] = []
    const first = await client.ask('tools/call', { name: 'slow' }, 5)
    expect(await refusalOf(await client.ask('ping', {}, 5))).toMatchObject({ status: 400, id: 5, code: -32600 })
    await expect.poll(() => ends.length).toBe(1)
    ends[0]?.()
    expect(await first.next(({ id }) => id === 5)).toMatchObject({ result: text('slow') })
  })

  test('a response to no pending request: 400 with -32600', async () => {
    const { client } = await open()
    const refused = await refusalOf(await client.post({ jsonrpc: '2.0', id: 'task:none:1', result: {} }))
    expect(refused).toMatchObject({
      status: 400,
      id: null,
      code: -32600,
      message: expect.stringContaining('task:none:1')
    })
  })

  test('a message larger than --max-message: 413, the connection closes, and the next request is answered', async () => {
    const { bridge, client } = await open({ maxMessage: 2_000 })
    const padded = (bytes: number): string => JSON.stringify(ping).padEnd(bytes, ' ')
    expect((await client.post(padded(2_000))).status).toBe(200)
    for (const bytes of [2_001, 5_000_000]) {
      const refused = await client.post(padded(bytes), { Origin: origin })
      expect(refused.headers.get('connection')).toBe('close')
      expect(refused.headers.get('access-control-allow-origin')).toBe(origin)
      expect(await refusalOf(refused)).toMatchObject({ status: 413, message: expect.stringContaining('2000 bytes') })
    }
    expect(await client.ok('ping')).toEqual({})
    expect(bridge.errors).toEqual([])
  })

  test('a message of 7 MiB is taken by default, as in a tab', async () => {
    const size = toolOf('size', ({ a }) => text(String(String(a).length)))
    const { client } = await open({}, new World({ tools: [size] }))
    const a = 'x'.repeat(7 * 1024 * 1024)
    expect(await client.ok('tools/call', { name: 'size', arguments: { a } })).toEqual(text(String(a.length)))
  })
})

describe('sessions', () => {
  test('neither a session nor initialize: 400', async () => {
    const { bridge } = await open()
    const nobody = new RawHttp(bridge.url)
    expect(await refusalOf(await nobody.post(ping))).toMatchObject({ status: 400, id: 1, code: -32000 })
    expect((await nobody.get()).status).toBe(400)
  })

  test('an unknown or ended session, or one idle for 30 minutes: 404 (of the first two)', async () => {
    const { bridge } = await open()
    const nobody = new RawHttp(bridge.url)
    nobody.session = 'nobody'
    expect(await refusalOf(await nobody.post(ping))).toMatchObject({ status: 404, id: 1, code: -32001 })
    expect((await nobody.get()).status).toBe(404)
    expect((await nobody.delete()).status).toBe(404)
  })

  test('more than 1,000 sessions: 503 while all are in use, else the one that was away for longest ends', async () => {
    const bridge = await worldBridge(new World(), { sessions: { sessions: 2, silence: 20 } })
    const [first, second] = [await RawHttp.open(bridge.url), await RawHttp.open(bridge.url)]
    const [kept, cut] = [await first.get(), await second.get()]
    const initialize = {
      ...ping,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
    }
    const third = new RawHttp(bridge.url)
    expect(await refusalOf(await third.post(initialize))).toMatchObject({
      status: 503,
      message: expect.stringContaining('2 sessions')
    })
    cut.cut()
    await expect.poll(async () => (await third.post(initialize)).status).toBe(200)
    expect((await second.ask('ping')).status).toBe(404)
    expect(await first.ok('ping')).toEqual({})
    kept.cut()
  })

  test('a second GET stream of a session: 409, and the first goes on', async () => {
    const { client } = await open()
    const first = await client.get()
    expect((await client.get()).status).toBe(409)
    first.cut()
    await expect.poll(async () => (await client.get()).status).toBe(200)
  })

  test('a Last-Event-ID of another session: 400', async () => {
    const { client } = await open()
    expect(await refusalOf(await client.get({ 'Last-Event-ID': 'nonsense' }))).toMatchObject({ status: 400 })
  })

  test('a Last-Event-ID of a stream that has ended: what was left of it, or 204', async () => {
    const { client } = await open()
    const stream = await client.ask('ping')
    await stream.next(({ result }) => result !== undefined)
    await stream.ended
    expect((await client.get({ 'Last-Event-ID': stream.lastId })).status).toBe(204)
    const before = stream.lastId.replace(/\d+$/, '0')
    const resumed = await client.get({ 'Last-Event-ID': before })
    await resumed.ended
    expect(resumed.messages).toEqual(stream.messages)
  })
})

describe('who may come in', () => {
  test('a Host or Origin that is not allowed: 403 to the Host', async () => {
    const { bridge } = await open()
    const heard = await raw(
      bridge.url,
      'POST /mcp HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'
    )
    expect(heard).toMatch(/^HTTP\/1.1 403 /)
    expect(heard).toContain('Host evil.example is not allowed')
  })

  test('a Host or Origin that is not allowed: 403 to the Origin, unless it was allowed', async () => {
    const { bridge, client } = await open({ origins: ['https://app.example'] })
    const status = async (from: string): Promise<number> => (await client.post(ping, { Origin: from })).status
    expect(await status('https://evil.example')).toBe(403)
    expect(await status('null')).toBe(403)
    expect(await status('https://app.example.evil')).toBe(403)
    expect(await status('https://app.example')).toBe(200)
    expect(await status(origin)).toBe(200)
    expect(bridge.errors).toEqual([])
  })

  test('a request without the token: 401; with it, as without any', async () => {
    const bridge = await worldBridge(new World(), { token: 'secret', host: '0.0.0.0' })
    const url = bridge.url.replace('0.0.0.0', '127.0.0.1')
    const client = new RawHttp(url)
    for (const authorization of ['', 'Bearer', 'Bearer secre', 'Bearer secretly', 'Basic secret', 'secret']) {
      const refused = await client.post(ping, { Authorization: authorization, Origin: origin })
      expect(refused.status).toBe(401)
      expect(refused.headers.get('www-authenticate')).toBe('Bearer')
      expect(refused.headers.get('access-control-allow-origin')).toBe(origin)
    }
    expect((await client.post(ping, { Authorization: 'Bearer secret' })).status).toBe(400)
  })

  test('a preflight of an allowed origin may send any header, and needs no token', async () => {
    const bridge = await worldBridge(new World(), { token: 'secret' })
    const asked = 'mcp-method,x-tenant,traceparent,authorization'
    const headers = { Origin: origin, 'Access-Control-Request-Headers': asked, 'Access-Control-Request-Method': 'POST' }
    const response = await fetch(bridge.url, { method: 'OPTIONS', headers })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-headers')).toBe(asked)
    expect(response.headers.get('access-control-allow-methods')).toContain('DELETE')
  })

  test('every answer to an allowed origin has the same CORS headers', async () => {
    const { bridge, client } = await open()
    const answers = [
      await client.post(ping, { Origin: origin }),
      await client.post('nonsense', { Origin: origin }),
      await client.post({ ...ping, id: 2 }, { Origin: origin, 'Mcp-Session-Id': 'nobody' }),
      await client.post({ ...ping, id: 3 }, { Origin: origin, Accept: 'text/plain' }),
      await client.post({ ...ping, id: 4 }, { Origin: origin, 'Content-Type': 'text/plain' }),
      await new RawHttp(bridge.url.replace('/mcp', '/else')).post(ping, { Origin: origin })
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 404, 406, 415, 404])
    const cors = ({ headers }: SseStream): string[] =>
      [...headers].flatMap(([k, v]) => (k.startsWith('access-') ? [`${k}: ${v}`] : []))
    for (const answer of answers) expect(cors(answer)).toEqual(cors(answers[0] as SseStream))
    expect(cors(answers[0] as SseStream)).toHaveLength(4)
  })
})

test('a client that hangs up in the middle of its message has done nothing, and nobody else notices', async () => {
  const { bridge, client } = await open()
  const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nMcp-Session-Id: ${client.session}\r\n`
  await raw(bridge.url, `${head}Content-Length: 1000\r\n\r\n{"jsonrpc"`, true)
  expect(await client.ok('ping')).toEqual({})
  expect(bridge.errors).toEqual([])
})
