import { PassThrough } from 'node:stream'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { beforeEach, describe, expect, test } from 'vitest'
import { StdioTransport } from '../../../src/bridge/stdio.js'

const limit = 1000
const ping = (id: number): string => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })

let input: PassThrough
let output: PassThrough
let stdio: StdioTransport
let received: JSONRPCMessage[]
let errors: Error[]
let closed: number

beforeEach(async () => {
  input = new PassThrough()
  output = new PassThrough({ highWaterMark: 2000 })
  stdio = new StdioTransport(input, output, limit)
  received = []
  errors = []
  closed = 0
  stdio.onmessage = (message) => received.push(message)
  stdio.onerror = (error) => errors.push(error)
  stdio.onclose = () => (closed += 1)
  await stdio.start()
})

const ids = (): unknown[] => received.map((message) => 'id' in message && message.id)
const written = (): { id: unknown; error?: { code: number; message: string } }[] =>
  String(output.read() ?? '')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { id: unknown })

/** Sends the text, and resolves when the transport has read all input. */
async function say(...chunks: (string | Buffer)[]): Promise<void> {
  for (const chunk of chunks) input.write(chunk)
  input.end()
  await stdio.ended
}

describe('G6 framing', () => {
  test('a line that comes byte by byte is one message', async () => {
    await say(
      ...Buffer.from(`${ping(1)}\n${ping(2)}\n`)
        .map((byte) => byte)
        .reduce<Buffer[]>((all, byte) => [...all, Buffer.from([byte])], [])
    )
    expect(ids()).toEqual([1, 2])
  })

  test('a character that is cut in two is whole again', async () => {
    const line = Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"é"}\n`)
    const middle = line.indexOf(0xc3) + 1
    await say(line.subarray(0, middle), line.subarray(middle))
    expect(received).toMatchObject([{ method: 'é' }])
  })

  test('many lines in one chunk, with CRLF, a byte order mark and blank lines between', async () => {
    await say(`\uFEFF${ping(1)}\r\n\r\n  \n${ping(2)}\n\n${ping(3)}\r\n`)
    expect(ids()).toEqual([1, 2, 3])
    expect(written()).toEqual([])
  })

  test('G4 a last line without its end is read', async () => {
    await say(`${ping(1)}\n${ping(2)}`)
    expect(ids()).toEqual([1, 2])
  })

  test('a line or body that is not JSON: -32700 with id null, and the next line is read', async () => {
    await say(`nonsense\n\u0000\n${ping(2)}\n`)
    expect(written()).toMatchObject([
      { id: null, error: { code: -32700 } },
      { id: null, error: { code: -32700 } }
    ])
    expect(ids()).toEqual([2])
  })

  test('JSON that is not a JSON-RPC message: -32600 with its id, and the next line is read', async () => {
    await say(
      `{"id":7,"method":"ping"}\n{"jsonrpc":"2.0","id":8,"method":"ping","params":[]}\n[${ping(9)}]\n${ping(2)}\n`
    )
    expect(written()).toMatchObject([
      { id: 7, error: { code: -32600 } },
      { id: 8, error: { code: -32600 } },
      { id: null, error: { code: -32600 } }
    ])
    expect(ids()).toEqual([2])
  })

  test('G25 a message larger than --max-message: -32600, one at the limit is read, and so is the next', async () => {
    const padded = (id: number, bytes: number): string => ping(id).padEnd(bytes, ' ')
    await say(
      `${padded(1, limit)}\n${padded(5, limit)}\r\n${padded(2, limit + 1)}\n${padded(2, limit + 1)}\r\n${'x'.repeat(100 * limit)}`,
      'x'.repeat(limit),
      `\n${ping(3)}\n`
    )
    expect(ids()).toEqual([1, 5, 3])
    expect(written()).toMatchObject([
      { id: null, error: { code: -32600 } },
      { id: null, error: { code: -32600, message: expect.stringContaining('larger than 1000 bytes') } },
      { id: null, error: { code: -32600 } }
    ])
  })
})

test('a client that does not read is not read from, until it does', async () => {
  for (let id = 0; id < 30; id += 1) await stdio.send({ jsonrpc: '2.0', id, result: { text: 'x'.repeat(100) } })
  expect(input.isPaused()).toBe(true)
  input.write(`${ping(1)}\n`)
  expect(ids()).toEqual([])
  output.resume()
  await expect.poll(() => ids()).toEqual([1])
})

test('a client that stops to read ends it, and is told of as an error', async () => {
  output.destroy(new Error('EPIPE'))
  await stdio.ended
  expect(errors).toMatchObject([{ message: 'EPIPE' }])
})

test('close resolves when all is written, and says so once', async () => {
  await stdio.send({ jsonrpc: '2.0', id: 1, result: {} })
  await Promise.all([stdio.close(), stdio.close()])
  expect(written()).toHaveLength(1)
  expect(closed).toBe(1)
  await expect(stdio.send({ jsonrpc: '2.0', id: 2, result: {} })).rejects.toMatchObject({ code: 'closed' })
})
