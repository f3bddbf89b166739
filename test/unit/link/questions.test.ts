import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { beforeEach, expect, test, vi } from 'vitest'
import { IntabError, RpcError } from '../../../src/errors.js'
import { type FakePage, initializedPage, notification, type Origin, request, result, soon } from './rig.js'

const question = request('task:t:q', 'elicitation/create', { message: 'Sure?' })
const answer = result('task:t:q', { action: 'accept' })

let origin: Origin
let page: FakePage
beforeEach(async () => {
  ;({ origin, page } = await initializedPage())
  return () => page.transport.close()
})

async function nextWorker(): Promise<void> {
  const count = origin.workers.length
  origin.kill()
  await soon(() => expect(origin.workers).toHaveLength(count + 1))
  await soon(() => expect(page.transport.state).toBe('connected'))
}

/** The worker never acknowledges answers. */
const deaf = (message: JSONRPCMessage): Promise<void> | undefined =>
  'method' in message ? undefined : new Promise(() => undefined)

test('a question on the screen stays there, and the next worker hears that the page holds it', async () => {
  await origin.worker.session.send(question)
  await nextWorker()
  expect(origin.worker.session.hello.holding).toEqual(['task:t:q'])
  expect(page.received).toEqual([question])
})

test('a question that the page holds is shown once, however often it comes', async () => {
  await origin.worker.session.send(question)
  await origin.worker.session.send(question)
  await nextWorker()
  await origin.worker.session.send(question)
  expect(page.received).toEqual([question])
})

test('an answer is kept until it is acknowledged, and sent to the next worker', async () => {
  const { session } = origin.worker
  origin.worker.behave = deaf
  await session.send(question)
  const sent = page.transport.send(answer)
  await soon(() => expect(session.received).toContainEqual(answer))
  await nextWorker()
  expect(origin.worker.session.hello.holding).toEqual(['task:t:q'])
  await sent
  expect(origin.worker.session.received.filter((message) => !('method' in message))).toEqual([answer])
  expect(page.received).toEqual([question])
})

test('an answer given while there is no worker goes to the next', async () => {
  await origin.worker.session.send(question)
  origin.kill()
  await soon(() => expect(page.transport.state).toBe('reconnecting'))
  await page.transport.send(answer)
  expect(origin.worker.session.received).toContainEqual(answer)
})

test('an answer that is acknowledged is done with: the next worker hears nothing of it', async () => {
  await origin.worker.session.send(question)
  await page.transport.send(answer)
  await nextWorker()
  expect(origin.worker.session.hello.holding).toEqual([])
  expect(origin.worker.session.received).not.toContainEqual(answer)
})

test('a question that was answered and acknowledged may be asked again', async () => {
  await origin.worker.session.send(question)
  await page.transport.send(answer)
  await origin.worker.session.send(question)
  expect(page.received).toEqual([question, question])
})

test('an answer that the worker could not store is told of, kept, and sent again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let busy = true
  origin.worker.behave = (message) =>
    'method' in message || !busy ? undefined : Promise.reject(new IntabError('storage_busy', 'Storage is busy'))
  await origin.worker.session.send(question)
  const sent = page.transport.send(answer)
  await soon(() => expect(page.errors).toMatchObject([{ code: 'storage_busy' }]))
  busy = false
  await vi.advanceTimersByTimeAsync(1_000)
  vi.useRealTimers()
  await sent
  expect(origin.worker.session.received.filter((message) => !('method' in message))).toEqual([answer, answer])
})

test('an answer that the worker refuses for good is told of, and given up', async () => {
  origin.worker.behave = (message) =>
    'method' in message ? undefined : Promise.reject(new RpcError(-32602, 'Not what was asked for'))
  await origin.worker.session.send(question)
  await expect(page.transport.send(answer)).rejects.toMatchObject({ code: -32602 })
  await nextWorker()
  expect(origin.worker.session.hello.holding).toEqual([])
})

test('a question that is withdrawn is held no longer, nor is its answer', async () => {
  const withdrawn = notification('notifications/cancelled', { requestId: 'task:t:q' })
  const { session } = origin.worker
  origin.worker.behave = deaf
  await session.send(question)
  const sent = page.transport.send(answer)
  await soon(() => expect(session.received).toContainEqual(answer))
  await session.send(withdrawn)
  await nextWorker()
  await sent
  expect(page.received).toEqual([question, withdrawn])
  expect(origin.worker.session.hello.holding).toEqual([])
  expect(origin.worker.session.received).not.toContainEqual(answer)
})

test("F59 a dead worker's own requests are withdrawn from the client", async () => {
  const own = request(`s:${origin.worker.id}:0`, 'sampling/createMessage')
  await origin.worker.session.send(own)
  await origin.worker.session.send(question)
  await nextWorker()
  expect(page.received).toEqual([
    own,
    question,
    {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: own.id, reason: expect.any(String) as string }
    }
  ])
})

test('an answer to another generation is dropped', async () => {
  const own = request(`s:${origin.worker.id}:0`, 'roots/list')
  await origin.worker.session.send(own)
  await nextWorker()
  await page.transport.send(result(own.id))
  await page.transport.send(result(`s:${origin.worker.id}:0`))
  await page.transport.send(request(9, 'ping'))
  expect(origin.worker.session.received.filter((message) => !('method' in message))).toEqual([])
})

test('an answer to a request of the living worker goes out once', async () => {
  const own = request(`s:${origin.worker.id}:0`, 'roots/list')
  await origin.worker.session.send(own)
  await page.transport.send(result(own.id))
  await page.transport.send(result(own.id))
  expect(origin.worker.session.received.filter((message) => !('method' in message))).toEqual([result(own.id)])
})

test('an answer to a request of a worker that dies meanwhile is no error', async () => {
  const own = request(`s:${origin.worker.id}:0`, 'roots/list')
  const { session } = origin.worker
  origin.worker.behave = deaf
  await session.send(own)
  const sent = page.transport.send(result(own.id))
  await soon(() => expect(session.received).toContainEqual(result(own.id)))
  await nextWorker()
  await expect(sent).resolves.toBeUndefined()
  expect(page.errors).toEqual([])
})

test('a request that the worker cancelled is not cancelled again when it dies', async () => {
  const own = request(`s:${origin.worker.id}:0`, 'roots/list')
  const cancelled = notification('notifications/cancelled', { requestId: own.id })
  await origin.worker.session.send(own)
  await origin.worker.session.send(cancelled)
  await nextWorker()
  expect(page.received).toEqual([own, cancelled])
})
