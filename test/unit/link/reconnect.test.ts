import { beforeEach, expect, test, vi } from 'vitest'
import { elapse, FakePage, initializedPage, notification, type Origin, request, result, soon } from './rig.js'

let origin: Origin
let page: FakePage
beforeEach(async () => {
  ;({ origin, page } = await initializedPage())
  return () => page.transport.close()
})

async function reconnected(workers = 2): Promise<void> {
  await soon(() => expect(origin.workers).toHaveLength(workers))
  await soon(() => expect(page.transport.state).toBe('connected'))
}

test('F58 a worker that died is replaced, without a word of the app', async () => {
  const first = origin.worker
  origin.kill()
  await soon(() => expect(page.states).toEqual(['connected', 'reconnecting', 'connected']))
  expect(origin.worker).not.toBe(first)
  expect(page.transport.worker).toBe(origin.worker.id)
  expect(page.errors).toEqual([])
  expect(page.closes).toBe(0)
})

test('the connection and the session are the same to the next worker', async () => {
  const { session, connection } = page.transport
  origin.kill()
  await reconnected()
  expect(origin.worker.session.hello).toMatchObject({ session, connection })
})

test('what the client says while there is no worker goes to the next one, in order, also what may not be repeated', async () => {
  origin.kill()
  await soon(() => expect(page.transport.state).toBe('reconnecting'))
  const messages = [
    request(1, 'tools/call', { name: 'x', _meta: { 'intab/key': 'k' } }),
    notification('notifications/roots/list_changed'),
    request(2, 'tools/list')
  ]
  await Promise.all(messages.map((message) => page.transport.send(message)))
  expect(origin.worker.session.received.slice(2)).toEqual(messages)
})

test('a notification that the dead worker did not take rejects', async () => {
  origin.worker.behave = () => new Promise(() => undefined)
  const sent = page.transport.send(notification('notifications/roots/list_changed'))
  await soon(() => expect(origin.worker.session.received).toHaveLength(3))
  origin.kill()
  await expect(sent).rejects.toMatchObject({ code: 'worker_gone' })
})

test('a cancellation that the dead worker did not take goes to the next', async () => {
  await page.transport.send(request(5, 'tools/call', { name: 'x' }))
  origin.worker.behave = () => new Promise(() => undefined)
  const cancelled = notification('notifications/cancelled', { requestId: 5 })
  const sent = page.transport.send(cancelled)
  await soon(() => expect(origin.worker.session.received).toContainEqual(cancelled))
  origin.kill()
  await sent
  expect(origin.worker.session.received).toContainEqual(cancelled)
})

test('an initialize that was never answered is sent again, and then answered to the client', async () => {
  const fresh = await origin.page()
  origin.worker.behave = () => undefined
  await fresh.transport.send(request(0, 'initialize', {}))
  origin.kill()
  await soon(() => expect(fresh.answerTo(0)).toEqual(result(0)))
  await fresh.transport.close()
})

test('a worker that dies as it is replaced is replaced', async () => {
  origin.behave = () => undefined
  origin.kill()
  await soon(() => expect(origin.workers[1]?.sessions[0]?.received).toHaveLength(1))
  origin.behave = (message, session) => {
    if ('id' in message && 'method' in message) session.send(result(message.id)).catch(() => undefined)
    return undefined
  }
  origin.kill()
  await reconnected(3)
  expect(page.errors).toMatchObject([{ code: 'worker_gone' }])
})

test('F26 a late end of an old link does not touch the new one', async () => {
  const [old] = origin.worker.sessions
  origin.kill()
  await reconnected()
  await old?.transport.close()
  await page.transport.send(request(1, 'ping'))
  expect(page.states).toEqual(['connected', 'reconnecting', 'connected'])
})

test('a client that throws when it hears of the loss stops nothing', async () => {
  page.transport.onmessage = () => {
    throw new Error('from the client')
  }
  await page.transport.send(request(1, 'unknown/act'))
  origin.kill()
  await reconnected()
  expect(page.errors).toMatchObject([{ message: 'from the client' }])
})

test('a worker that closes the connection is connected to anew', async () => {
  const worker = origin.worker
  await worker.session.transport.close()
  await soon(() => expect(worker.sessions).toHaveLength(2))
  await soon(() => expect(page.transport.state).toBe('connected'))
  expect(origin.workers).toHaveLength(1)
})

test('what a worker said last is heard, although its lock is free before', async () => {
  await page.transport.send(request(1, 'unknown/act'))
  origin.worker.lastWords(result(1, { fine: true }))
  await soon(() => expect(page.transport.state).toBe('reconnecting'))
  expect(page.received).toEqual([result(1, { fine: true })])
})

test('whoever waited for a worker is heard before whoever speaks when it is there', async () => {
  origin.kill()
  await soon(() => expect(page.transport.state).toBe('reconnecting'))
  const sent = [page.transport.send(request(1, 'tools/list'))]
  page.transport.onstatechange = (state) => {
    if (state === 'connected') sent.push(page.transport.send(request(2, 'tools/list')))
  }
  await soon(() => expect(sent).toHaveLength(2))
  await Promise.all(sent)
  expect(origin.worker.session.received.slice(2)).toEqual([request(1, 'tools/list'), request(2, 'tools/list')])
})

test('workers that take eight seconds to start are waited for, and few are made', async () => {
  const names = new Map<string, Promise<void>>()
  let start = 0
  class Slow extends EventTarget {
    readonly port: MessagePort
    constructor(_url: string, { name = '' }: { name?: string } = {}) {
      super()
      const { port1, port2 } = new MessageChannel()
      this.port = port1
      const started = names.get(name) ?? new Promise((resolve) => setTimeout(resolve, start))
      names.set(name, started)
      // A name has one worker, which starts once, whoever waits for it.
      started
        .then(() => {
          if (origin.workers.length < 2 && start > 0) origin.factory()
          origin.worker.connect(port2)
        })
        .catch((error: unknown) => page.errors.push(error as Error))
    }
  }
  vi.stubGlobal('SharedWorker', Slow)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const slow = new FakePage(origin.space, () => new SharedWorker('x', { name: 'mcp' }))
  try {
    slow.transport.start().catch((error: unknown) => page.errors.push(error as Error))
    await elapse(() => expect(slow.transport.state).toBe('connected'))
    names.clear()
    start = 8_000
    origin.kill()
    await elapse(() => expect(slow.states).toEqual(['connected', 'reconnecting', 'connected']), 20_000)
    expect([...names.keys()]).toEqual(['mcp', 'mcp~1'])
  } finally {
    await slow.transport.close()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  }
})
