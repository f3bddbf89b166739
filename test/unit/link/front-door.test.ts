import { transfer, wrap } from 'comlink'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Connection, Door, Hello } from '../../../src/link/front-door.js'
import { openFrontDoor } from '../../../src/link/front-door.js'
import { PortTransport } from '../../../src/link/port-transport.js'
import type { MortalLocks } from '../../doubles/locks.js'
import { LockSpace, memoryLocks } from '../../doubles/locks.js'
import { FakeWorker, request, soon } from './rig.js'
import { RpcError } from '../../../src/errors.js'

let space: LockSpace
let page: MortalLocks
let worker: FakeWorker
const ports: MessagePort[] = []
beforeEach(() => {
  space = new LockSpace()
  page = memoryLocks(space)
  worker = new FakeWorker(space)
})
afterEach(() => {
  worker.door.close()
  for (const port of ports.splice(0)) port.close()
})

function knock(): { door: ReturnType<typeof wrap<Door>>; port: MessagePort } {
  const { port1, port2 } = new MessageChannel()
  ports.push(port1)
  worker.connect(port2)
  return { door: wrap<Door>(port1), port: port1 }
}

async function hello(connection = 'c'): Promise<Hello> {
  const locks = { session: 'session', connection: `lock:${connection}` }
  await page.hold(locks.connection)
  return { version: 1, session: 's', connection, locks, holding: [] }
}

async function enter(
  greeting: Hello
): Promise<{ transport: PortTransport; port: MessagePort; answer: Awaited<ReturnType<Door['open']>> }> {
  const { port1, port2 } = new MessageChannel()
  ports.push(port1)
  const transport = new PortTransport(port1)
  await transport.start()
  return { transport, port: port1, answer: await knock().door.open(transfer(port2, [port2]), greeting) }
}

test('F35 whoever connects while the script still runs is heard, and knocks before the server is ready', async () => {
  worker.accept = () => new Promise(() => undefined)
  await expect(knock().door.knock()).resolves.toEqual({ lock: worker.lock })
})

test('a worker that cannot hold its lock says why to whoever knocks', async () => {
  const scope = Object.assign(new EventTarget(), { onconnect: null })
  const failed = (): Promise<string> => Promise.reject(new DOMException('no', 'SecurityError'))
  const door = openFrontDoor(scope, page, failed, () => Promise.reject(new Error('unused')))
  const { port1, port2 } = new MessageChannel()
  ports.push(port1)
  scope.dispatchEvent(Object.assign(new Event('connect'), { ports: [port2] }))
  await expect(wrap<Door>(port1).knock()).resolves.toMatchObject({ error: { message: 'no' } })
  door.close()
})

test('everyone who enters is welcomed, with a transport of their own', async () => {
  const [first, second] = [await enter(await hello('1')), await enter(await hello('2'))]
  expect(first.answer).toEqual({ welcome: { version: 1, worker: worker.id, lock: worker.lock } })
  expect(worker.door.connections()).toBe(2)
  await first.transport.send(request(1, 'ping'))
  await second.transport.send(request(2, 'ping'))
  expect(worker.sessions.map(({ received }) => received)).toEqual([[request(1, 'ping')], [request(2, 'ping')]])
})

test('F66 a page of another version is refused, and told to reload', async () => {
  const { answer } = await enter({ ...(await hello()), version: 2 as 1 })
  expect(answer).toMatchObject({ error: { code: 'worker_failed', message: expect.stringContaining('reload') } })
  expect(worker.sessions).toEqual([])
})

test('messages on a port that was not opened here are not heard', async () => {
  const { port } = knock()
  const stray = new PortTransport(port)
  await stray.start()
  const sent = expect(stray.send(request(1, 'ping'))).rejects.toThrow()
  await expect(knock().door.knock()).resolves.toEqual({ lock: worker.lock })
  await stray.close()
  await sent
  expect(worker.sessions).toEqual([])
})

test('F32 F59 a page that crashes is noticed by its lock', async () => {
  await enter(await hello())
  page.die()
  const { signal } = worker.session
  await soon(() => expect(signal.aborted).toBe(true))
  expect(signal.reason).toMatchObject({ code: 'closed', data: undefined })
  expect(worker.door.connections()).toBe(0)
})

test('what a page said last is heard, although its lock is free before', async () => {
  const { transport } = await enter(await hello())
  page.die()
  await expect(transport.send(request(1, 'ping'))).resolves.toBeUndefined()
  expect(worker.session.received).toEqual([request(1, 'ping')])
})

test('a page that died before it was let in leaves nothing behind', async () => {
  let admit = (): void => undefined
  worker.accept = () => new Promise((resolve) => (admit = resolve))
  const entering = enter(await hello())
  await soon(() => expect(worker.door.connections()).toBe(1))
  page.die()
  await soon(() => expect(worker.door.connections()).toBe(0))
  admit()
  await entering
  expect(worker.door.connections()).toBe(0)
})

test('F57 a connection that is opened anew takes the place of its old self, which is told apart from one that left', async () => {
  const greeting = await hello()
  await enter(greeting)
  const [old] = worker.sessions
  const { transport } = await enter(greeting)
  expect(old?.signal.reason).toMatchObject({ code: 'closed', data: { replaced: true } })
  expect(worker.door.connections()).toBe(1)
  await transport.send(request(1, 'ping'))
  expect(worker.session.received).toEqual([request(1, 'ping')])
})

test('a page that is refused has no connection, and its transport has ended', async () => {
  let refused: Connection | undefined
  worker.accept = (connection) => {
    refused = connection
    return Promise.reject(new Error('full'))
  }
  const { answer } = await enter(await hello())
  expect(answer).toEqual({ error: { code: -32603, message: 'full' } })
  expect(refused?.signal.aborted).toBe(true)
  expect(worker.door.connections()).toBe(0)
})

test('F36 an error whose data cannot be cloned does not hide itself', async () => {
  const error = new RpcError(-32001, 'odd', (() => 1) as never)
  worker.accept = () => Promise.reject(error)
  const { answer } = await enter(await hello())
  expect(answer).toMatchObject({ error: { code: -32001, message: 'odd', data: expect.stringContaining('cloned') } })
})

test('close ends all connections, and lets nobody in any more', async () => {
  const { transport } = await enter(await hello())
  const { door } = knock()
  await door.knock()
  worker.door.close()
  await soon(() => expect(transport.signal.reason).toMatchObject({ code: 'closed' }))
  const { port2 } = new MessageChannel()
  await expect(door.open(transfer(port2, [port2]), await hello('2'))).resolves.toMatchObject({
    error: { code: 'closed' }
  })
  expect(worker.door.connections()).toBe(0)
})

test('a try that the page gave up does not end the one that came after it, when it arrives late', async () => {
  const greeting = await hello()
  const { answer } = await enter({ ...greeting, meeting: 2 })
  expect(answer).toMatchObject({ welcome: { worker: worker.id } })
  const late = await enter({ ...greeting, meeting: 1 })
  expect(late.answer).toMatchObject({ error: { code: 'closed', data: { replaced: true } } })
  expect(worker.session.signal.aborted).toBe(false)
  expect(worker.door.connections()).toBe(1)
})
