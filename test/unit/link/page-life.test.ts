import { beforeEach, expect, test, vi } from 'vitest'
import { memoryLocks } from '../../doubles/locks.js'
import { elapse, FakePage, initializedPage, type Origin, request, result, soon } from './rig.js'

const question = request('task:t:q', 'elicitation/create', { message: 'Sure?' })
const answer = result('task:t:q', { action: 'accept' })

let origin: Origin
let page: FakePage
beforeEach(async () => {
  ;({ origin, page } = await initializedPage())
  return () => page.transport.close()
})

const connected = (): Promise<void> => soon(() => expect(page.transport.state).toBe('connected'))

test('F32 at pagehide the page says that it gives its questions back, and lets its locks go', async () => {
  const { signal } = origin.worker.session
  page.leave()
  await soon(() => expect(signal.reason).toMatchObject({ code: 'closed', data: { giveBack: true } }))
  expect(origin.space.names).toEqual([origin.worker.lock])
  expect(origin.worker.door.connections()).toBe(0)
  expect(page.transport.state).toBe('reconnecting')
})

test('F62 a page that comes back connects anew, under its session', async () => {
  const { session, connection } = page.transport
  page.leave()
  page.comeBack()
  await connected()
  expect(page.transport.session).toBe(session)
  expect(page.transport.connection).not.toBe(connection)
  expect(origin.worker.sessions).toHaveLength(2)
  const heard = [{ method: 'initialize' }, { method: 'notifications/initialized' }]
  await soon(() => expect(origin.worker.session.received).toMatchObject(heard))
})

test('a question that was given back is withdrawn from the screen, and shown again when it comes again', async () => {
  await origin.worker.session.send(question)
  page.leave()
  expect(page.received).toEqual([question])
  page.comeBack()
  expect(page.received).toMatchObject([
    question,
    { method: 'notifications/cancelled', params: { requestId: 'task:t:q' } }
  ])
  await connected()
  expect(origin.worker.session.hello.holding).toEqual([])
  await origin.worker.session.send(question)
  expect(page.received).toHaveLength(3)
})

test('an answer that was not acknowledged before the page left is sent when it is back', async () => {
  const { session } = origin.worker
  origin.worker.behave = (message) => ('method' in message ? undefined : new Promise(() => undefined))
  await session.send(question)
  const sent = page.transport.send(answer)
  await soon(() => expect(session.received).toContainEqual(answer))
  page.leave()
  origin.worker.behave = origin.behave
  page.comeBack()
  await sent
  expect(origin.worker.session.hello.holding).toEqual(['task:t:q'])
  expect(origin.worker.session.received).toContainEqual(answer)
  expect(page.received).toEqual([question])
})

test('calls go on where they may, and fail where they may not, when the page is back', async () => {
  await page.transport.send(request(1, 'tasks/result', { taskId: 't' }))
  await page.transport.send(request(2, 'unknown/act'))
  page.leave()
  page.comeBack()
  expect(page.answerTo(2)).toMatchObject({ error: { data: { code: 'worker_gone' } } })
  await connected()
  await page.transport.send(request(3, 'ping'))
  expect(origin.worker.session.received.slice(2)).toEqual([
    request(1, 'tasks/result', { taskId: 't' }),
    request(3, 'ping')
  ])
})

test('what is said while the page is away goes out when it is back', async () => {
  page.leave()
  const sent = page.transport.send(request(1, 'tools/list'))
  page.comeBack()
  await sent
  expect(origin.worker.session.received).toContainEqual(request(1, 'tools/list'))
})

test('F61 a page that is frozen leaves, and is back when it resumes', async () => {
  const { signal } = origin.worker.session
  page.window.dispatchEvent(new Event('freeze'))
  await soon(() => expect(signal.aborted).toBe(true))
  page.window.dispatchEvent(new Event('resume'))
  await connected()
  expect(origin.worker.sessions).toHaveLength(2)
})

test('a page that is hidden and frozen, then resumed and shown, connects once', async () => {
  page.leave()
  page.window.dispatchEvent(new Event('freeze'))
  page.window.dispatchEvent(new Event('resume'))
  page.comeBack()
  await connected()
  expect(origin.calls).toBe(2)
})

test('the first pageshow of a page is none of this', async () => {
  page.window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false }))
  await page.transport.send(request(1, 'ping'))
  expect(origin.calls).toBe(1)
})

test('a page that leaves while it reconnects gives that up, and connects when it is back', async () => {
  origin.kill()
  await soon(() => expect(page.transport.state).toBe('reconnecting'))
  page.leave()
  expect(origin.space.names).toEqual([])
  page.comeBack()
  await connected()
  expect(origin.workers).toHaveLength(2)
  expect(page.errors).toEqual([])
})

test('a page that leaves before it was connected connects when it is back', async () => {
  const hasty = new FakePage(origin.space, origin.factory)
  const started = hasty.transport.start()
  hasty.leave()
  expect(hasty.transport.state).toBe('connecting')
  hasty.comeBack()
  await started
  expect(hasty.states).toEqual(['connected'])
  await hasty.transport.close()
})

test('after close the page is not listened to any more', async () => {
  await page.transport.close()
  page.leave()
  page.comeBack()
  expect(page.states).toEqual(['connected', 'closed'])
  expect(origin.calls).toBe(1)
})

test('a page that leaves in the moment in which it gets its locks lets them go', async () => {
  const locks = memoryLocks(origin.space)
  const hold: typeof locks.hold = async (name, signal) => {
    const letGo = await locks.hold(name, signal)
    if (name.includes('connection')) hasty.leave()
    return letGo
  }
  const hasty = new FakePage(origin.space, origin.factory, { locks: { ...locks, hold } })
  const started = hasty.transport.start()
  const { locks: held } = origin.worker.session.hello
  await soon(() =>
    expect(origin.space.names.sort()).toEqual([held.connection, held.session, origin.worker.lock].sort())
  )
  await hasty.transport.close()
  await expect(started).rejects.toMatchObject({ code: 'closed' })
})

test('a client that closed leaves its session to the next client of the page', async () => {
  const items = new Map<string, string>()
  const getItem = (key: string): string | null => items.get(key) ?? null
  vi.stubGlobal('sessionStorage', { getItem, setItem: (key: string, value: string) => items.set(key, value) })
  const first = await origin.page()
  const { session } = first.transport
  await first.transport.close()
  const second = await origin.page()
  expect(second.transport.session).toBe(session)
  vi.unstubAllGlobals()
  await second.transport.close()
})

test('a page whose lock the browser never grants asks for it again, and says so', async () => {
  page.leave()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const hold = vi.spyOn(page.locks, 'hold')
  // That of the session, which another page may hold, and then that of a new session, which nobody holds.
  for (const _ of ['session', 'new session'])
    hold.mockImplementationOnce(
      (_name, signal) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)))
    )
  page.comeBack()
  await elapse(() => expect(page.transport.state).toBe('connected'))
  expect(page.errors).toMatchObject([{ code: 'timeout', message: expect.stringContaining('Web Lock') }])
  vi.useRealTimers()
})
