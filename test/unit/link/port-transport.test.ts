import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { IntabError, RpcError } from '../../../src/errors.js'
import { PortTransport } from '../../../src/link/port-transport.js'
import { failed, notification, request, result, soon } from './rig.js'

let ports: MessageChannel
let a: PortTransport
let b: PortTransport
let received: JSONRPCMessage[]
let errors: { a: Error[]; b: Error[] }

beforeEach(async () => {
  ports = new MessageChannel()
  a = new PortTransport(ports.port1)
  b = new PortTransport(ports.port2)
  received = []
  errors = { a: [], b: [] }
  a.onerror = (error) => errors.a.push(error)
  b.onerror = (error) => errors.b.push(error)
  b.onmessage = (message) => received.push(message)
  await Promise.all([a.start(), b.start()])
})

afterEach(async () => {
  await Promise.all([a.close(), b.close()])
})

test('a sent message was taken by the peer', async () => {
  await a.send(request(1, 'ping'))
  expect(received).toEqual([request(1, 'ping')])
})

test('F22 messages arrive in the order in which they were sent', async () => {
  const sent = Array.from({ length: 200 }, (_, id) => request(id, 'ping'))
  const sending: Promise<void>[] = []
  for (const [place, message] of sent.entries()) {
    sending.push(a.send(message))
    if (place % 7 === 0) await new Promise(setImmediate)
  }
  await Promise.all(sending)
  expect(received).toEqual(sent)
})

test('the messages of one turn travel in one post, and so do their acknowledgements', async () => {
  const [out, back] = [vi.spyOn(ports.port1, 'postMessage'), vi.spyOn(ports.port2, 'postMessage')]
  await Promise.all([1, 2, 3].map((id) => a.send(request(id, 'ping'))))
  expect(received).toHaveLength(3)
  expect(out).toHaveBeenCalledTimes(1)
  expect(back).toHaveBeenCalledTimes(1)
})

test('messages of later turns do not wait for an acknowledgement', async () => {
  const take = vi.fn(() => new Promise<void>(() => undefined))
  b.take = take
  const sending = [a.send(request(1, 'ping'))]
  await soon(() => expect(take).toHaveBeenCalledTimes(1))
  sending.push(a.send(request(2, 'ping')))
  await soon(() => expect(take).toHaveBeenCalledTimes(2))
  await a.close()
  await Promise.allSettled(sending)
})

test('a message that is taken goes no further, and is acknowledged when its promise resolves', async () => {
  let commit = (): void => undefined
  b.take = (message) => ('method' in message ? undefined : new Promise<void>((resolve) => (commit = resolve)))
  let acknowledged = false
  const sent = a.send(result('task:1:x')).then(() => (acknowledged = true))
  await new Promise(setImmediate)
  await a.send(request(2, 'ping'))
  expect(acknowledged).toBe(false)
  expect(received).toEqual([request(2, 'ping')])
  commit()
  await sent
})

test('F36 a refusal keeps code and data, and concerns that message only', async () => {
  b.take = (message) =>
    'id' in message && message.id === 2
      ? Promise.reject(new RpcError(-32602, 'No such question', { requestId: 'x' }))
      : 'id' in message && message.id === 3
        ? Promise.reject(new IntabError('storage_busy', 'Storage is busy', ['later']))
        : undefined
  const [first, second, third, fourth] = await Promise.allSettled([1, 2, 3, 4].map((id) => a.send(request(id, 'ping'))))
  expect(first).toMatchObject({ status: 'fulfilled' })
  expect(second).toMatchObject({
    reason: { name: 'RpcError', code: -32602, message: 'No such question', data: { requestId: 'x' } }
  })
  expect(third).toMatchObject({ reason: { name: 'IntabError', code: 'storage_busy', data: ['later'] } })
  expect(fourth).toMatchObject({ status: 'fulfilled' })
  expect(received).toHaveLength(2)
})

test('F24 a request that cannot be cloned is refused at once, and nothing beside it is lost', async () => {
  const bad = request(2, 'tools/call', { handler: () => undefined })
  const outcomes = await Promise.allSettled([a.send(request(1, 'ping')), a.send(bad), a.send(request(3, 'ping'))])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(outcomes[1]).toMatchObject({
    reason: { code: 'not_json', message: expect.stringContaining('cannot be sent') }
  })
  expect(received).toEqual([request(1, 'ping'), request(3, 'ping')])
})

test('F24 F37 whoever waits for a result that cannot be cloned gets an error that says so', async () => {
  await expect(a.send(result(7, { content: () => undefined }))).rejects.toMatchObject({ code: 'not_json' })
  await soon(() => expect(received).toHaveLength(1))
  expect(received[0]).toMatchObject({ id: 7, error: { code: -32603, data: { code: 'not_json' } } })
})

test('F24 an error whose data cannot be cloned arrives without it', async () => {
  const bad = {
    ...failed(8, -32042, 'Ask elsewhere'),
    error: { code: -32042, message: 'Ask elsewhere', data: () => 1 }
  }
  await expect(a.send(bad)).rejects.toMatchObject({ code: 'not_json' })
  await soon(() => expect(received).toHaveLength(1))
  expect(received[0]).toMatchObject({
    id: 8,
    error: { code: -32042, message: 'Ask elsewhere', data: { code: 'not_json' } }
  })
})

test.each([undefined, null, 'text', [], {}, { jsonrpc: '1.0', id: 1, method: 'ping' }, { jsonrpc: '2.0', id: 1 }])(
  'what is no JSON-RPC message is refused before it goes out: %j',
  async (value) => {
    await expect(a.send(value as JSONRPCMessage)).rejects.toMatchObject({ code: 'not_json' })
    await a.send(request(1, 'ping'))
    expect(received).toEqual([request(1, 'ping')])
  }
)

test('an error thrown by whoever hears a message reaches its sender, and the messages beside it are heard', async () => {
  b.onmessage = (message) => {
    if ('method' in message && message.method === 'bad') throw new Error('cannot')
    received.push(message)
  }
  const outcomes = await Promise.allSettled([a.send(notification('bad')), a.send(notification('good'))])
  expect(outcomes).toMatchObject([{ reason: { code: -32603, message: 'cannot' } }, { status: 'fulfilled' }])
  expect(errors.b).toMatchObject([{ message: 'cannot' }])
  expect(received).toEqual([notification('good')])
})

test('F31 what the peer has not acknowledged rejects when the transport ends, once and with the reason', async () => {
  b.take = () => new Promise(() => undefined)
  const outcomes = [1, 2].map((id) => a.send(request(id, 'ping')))
  const reason = new IntabError('worker_gone', 'The worker stopped')
  await soon(() => expect(received).toEqual([]))
  a.end(reason)
  expect(await Promise.allSettled(outcomes)).toEqual([
    { status: 'rejected', reason },
    { status: 'rejected', reason }
  ])
  await expect(a.send(request(3, 'ping'))).rejects.toBe(reason)
  expect(a.signal.reason).toBe(reason)
})

test('what was sent in the turn of the close still arrives, before the bye', async () => {
  const order: string[] = []
  b.onmessage = () => order.push('message')
  b.onclose = () => order.push('close')
  const sent = a.send(notification('notifications/cancelled', { requestId: 1 }))
  await a.close({ giveBack: true })
  await expect(sent).rejects.toMatchObject({ code: 'closed' })
  await soon(() => expect(order).toEqual(['message', 'close']))
  expect(b.signal.reason).toMatchObject({ code: 'closed', data: { giveBack: true } })
})

test('F22 close is idempotent, and onclose is called once at each end', async () => {
  const closes: string[] = []
  a.onclose = () => closes.push('a')
  b.onclose = () => closes.push('b')
  await Promise.all([a.close(), a.close()])
  await soon(() => expect(closes).toEqual(['a', 'b']))
  await Promise.all([a.close(), b.close()])
  expect(closes).toEqual(['a', 'b'])
})

test('a worker that sends its pages away tells them why', async () => {
  await a.close({ superseded: true })
  await soon(() =>
    expect(b.signal.reason).toMatchObject({ code: 'superseded', message: expect.stringContaining('reload') })
  )
})

test('F34 ends without an answer of the peer, and its port with it', async () => {
  const dead = new MessageChannel()
  const lone = new PortTransport(dead.port1)
  await lone.start()
  const closed = vi.spyOn(dead.port1, 'close')
  const removed = vi.spyOn(dead.port1, 'removeEventListener')
  const added = vi.spyOn(dead.port1, 'addEventListener')
  lone.end(new IntabError('worker_gone', 'gone'))
  expect(closed).toHaveBeenCalled()
  expect(removed.mock.calls.filter(([type]) => type === 'message')).toHaveLength(2)
  expect(added).not.toHaveBeenCalled()
})

test('F35 what was sent before the peer started is there when it starts', async () => {
  const { port1, port2 } = new MessageChannel()
  const [early, late] = [new PortTransport(port1), new PortTransport(port2)]
  await early.start()
  const sent = early.send(request(1, 'ping'))
  await new Promise(setImmediate)
  late.onmessage = (message) => received.push(message)
  await late.start()
  await sent
  expect(received).toEqual([request(1, 'ping')])
  await early.close()
})

test('a transport is started once, and sends nothing before', async () => {
  const lone = new PortTransport(new MessageChannel().port1)
  await expect(lone.send(request(1, 'ping'))).rejects.toMatchObject({ code: 'closed' })
  await lone.start()
  await expect(lone.start()).rejects.toMatchObject({ code: 'invalid_options' })
  await lone.close()
  await expect(lone.start()).rejects.toMatchObject({ code: 'closed' })
})

test('F30 a pending call settles although nobody refers to the proxy and garbage is collected', async () => {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  let commit = (): void => undefined
  b.take = () => new Promise<void>((resolve) => (commit = resolve))
  const sent = a.send(request(1, 'tools/call'))
  for (let round = 0; round < 5; round += 1) {
    await new Promise(setImmediate)
    gc()
  }
  commit()
  await expect(sent).resolves.toBeUndefined()
  b.take = undefined
  await expect(a.send(request(2, 'ping'))).resolves.toBeUndefined()
})
