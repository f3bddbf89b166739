import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { IntabError, RpcError } from '../../../src/errors.js'
// The page loads it when a connection failed; here it is there, since faked time does not wait for files.
import '../../../src/link/explain.js'
import type { WorkerFactory } from '../../../src/link/make-worker.js'
import { memoryLocks } from '../../doubles/locks.js'
import { elapse, FakePage, Origin, request, silent, soon } from './rig.js'

let origin: Origin
beforeEach(() => {
  origin = new Origin()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Starts in faked time; the error, and after how much time it came. */
async function failure(page: FakePage): Promise<{ error: unknown; took: number }> {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  const begin = Date.now()
  const errors: unknown[] = []
  page.transport.start().catch((error: unknown) => errors.push(error))
  await elapse(() => expect(errors).toHaveLength(1))
  return { error: errors[0], took: Date.now() - begin }
}

test('F35 the worker may take its time after the knock: a page that asks at once is let in when it is ready', async () => {
  let ready = (): void => undefined
  const factory: WorkerFactory = () => {
    const made = origin.factory()
    origin.worker.accept = () => new Promise((resolve) => (ready = resolve))
    return made
  }
  const page = new FakePage(origin.space, factory)
  const started = page.transport.start()
  await soon(() => expect(origin.worker.door.connections()).toBe(1))
  ready()
  await started
  expect(page.transport.state).toBe('connected')
  await page.transport.close()
})

test('a worker that shows no sign of life is given up within seconds, with advice', async () => {
  const page = new FakePage(origin.space, silent)
  const { error, took } = await failure(page)
  expect(error).toMatchObject({
    code: 'worker_failed',
    message: expect.stringMatching(/does not respond.*script.*serve\(\)/)
  })
  expect(took).toBeLessThan(17_000)
  expect([page.transport.state, page.closes]).toEqual(['closed', 1])
  expect(origin.space.names).toEqual([])
})

test('a worker that lives but lets nobody in is waited for a little longer, once', async () => {
  const factory = (): SharedWorker => {
    const made = origin.factory()
    origin.worker.accept = () => new Promise(() => undefined)
    return made as SharedWorker
  }
  const { error, took } = await failure(new FakePage(origin.space, factory))
  expect(error).toMatchObject({ code: 'worker_failed', message: expect.stringContaining('accepts no connection') })
  expect(took).toBeGreaterThan(14_000)
  expect(took).toBeLessThan(17_000)
  expect(origin.calls).toBe(1)
})

test('a script that fails to load is told of at once', async () => {
  const factory = (): SharedWorker => {
    const worker = silent()
    queueMicrotask(() => worker.dispatchEvent(Object.assign(new Event('error'), { message: 'x is not defined' })))
    return worker
  }
  const page = new FakePage(origin.space, factory)
  const told = { code: 'worker_failed', message: expect.stringMatching(/x is not defined.*same options/) as string }
  await expect(page.transport.start()).rejects.toMatchObject(told)
  expect(origin.space.names).toEqual([])
})

test('an error of a worker that is connected is told of, and the connection goes on', async () => {
  let worker: EventTarget | undefined
  const page = await origin.page({}, () => {
    const made = origin.factory()
    worker = made
    return made
  })
  worker?.dispatchEvent(Object.assign(new Event('error'), { message: 'uncaught' }))
  expect(page.errors).toMatchObject([{ code: 'worker_failed', message: expect.stringContaining('uncaught') }])
  await page.transport.send(request(1, 'ping'))
  await page.transport.close()
  worker?.dispatchEvent(Object.assign(new Event('error'), { message: 'too late' }))
  expect(page.errors).toHaveLength(1)
})

test.each([
  [
    new IntabError('storage_refused', 'No storage here', { why: 'private' }),
    { code: 'storage_refused', data: { why: 'private' } }
  ],
  [new RpcError(-32050, 'Not you', ['x']), { code: -32050, message: 'Not you', data: ['x'] }],
  [new TypeError('undefined is not a function'), { code: -32603, message: 'undefined is not a function' }]
])('F36 what the worker refuses with reaches the page: %s', async (thrown, told) => {
  const page = new FakePage(origin.space, () => {
    const made = origin.factory()
    origin.worker.accept = () => Promise.reject(thrown)
    return made
  })
  await expect(page.transport.start()).rejects.toMatchObject(told)
  expect(origin.worker.door.connections()).toBe(0)
  expect(origin.space.names).toEqual([origin.worker.lock])
})

test('data for the worker that cannot be cloned is told of at once', async () => {
  const page = new FakePage(origin.space, origin.factory, { data: { no: (() => 1) as unknown as string } })
  await expect(page.transport.start()).rejects.toMatchObject({ code: 'not_json' })
})

test('F69 where SharedWorker is missing the fallback is used', async () => {
  const other = new Origin()
  const factory = (): SharedWorker => {
    throw new ReferenceError('SharedWorker is not defined')
  }
  const page = await origin.page({ fallback: other.factory, locks: (await other.page()).locks }, factory)
  expect(page.transport.worker).toBe(other.worker.id)
  await page.transport.close()
})

test('F69 where SharedWorker is missing and there is no fallback, the error says what to do', async () => {
  const page = new FakePage(origin.space, () => new SharedWorker('x'))
  const told = { code: 'worker_failed', message: expect.stringContaining('`fallback`') as string }
  await expect(page.transport.start()).rejects.toMatchObject(told)
})

test('what the factory throws where SharedWorker is not missing is told of, and the fallback is not used', async () => {
  vi.stubGlobal('SharedWorker', class {})
  const page = new FakePage(
    origin.space,
    () => {
      throw new Error('bad URL')
    },
    { fallback: origin.factory }
  )
  await expect(page.transport.start()).rejects.toMatchObject({
    code: 'worker_failed',
    message: expect.stringContaining('bad URL')
  })
  expect(origin.calls).toBe(0)
})

test('a server in the page itself is connected to over a port, by one client after the other', async () => {
  const { FakeWorker } = await import('./rig.js')
  const { openFrontDoor } = await import('../../../src/link/front-door.js')
  const host = new FakeWorker(origin.space)
  const { port1, port2 } = new MessageChannel()
  const accept = async ({ transport }: Parameters<Parameters<typeof openFrontDoor>[3]>[0]) => {
    await transport.start()
    return { version: 1 as const, worker: 'w', lock: host.lock }
  }
  const door = openFrontDoor(port2, memoryLocks(origin.space), async () => host.lock, accept)
  for (let round = 0; round < 3; round += 1) {
    const page = await origin.page({}, () => port1)
    expect(page.transport.kind).toBe('page')
    await page.transport.close()
  }
  await soon(() => expect(door.connections()).toBe(0))
  door.close()
  port1.close()
})

test('a dedicated worker is ended with its transport', async () => {
  const { port1, port2 } = new MessageChannel()
  origin.factory()
  const terminate = vi.fn()
  const worker = Object.assign(port1, { terminate }) as unknown as Worker
  origin.worker.connect(port2)
  const page = await origin.page({}, () => worker)
  expect(page.transport.kind).toBe('worker')
  expect(terminate).not.toHaveBeenCalled()
  await page.transport.close()
  expect(terminate).toHaveBeenCalledOnce()
  port1.close()
})

test('after two silences a SharedWorker is made under another name, which lasts; the constructor is put back', async () => {
  const made: (string | undefined)[] = []
  class Original extends EventTarget {
    port: MessagePort
    constructor(_url: string, options?: string | { name?: string }) {
      super()
      const name = typeof options === 'string' ? options : options?.name
      made.push(name)
      this.port = (name === 'mcp' ? silent() : (origin.factory() as SharedWorker)).port
    }
  }
  vi.stubGlobal('SharedWorker', Original)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const page = new FakePage(origin.space, () => new SharedWorker('x', { type: 'module', name: 'mcp' }))
  const started = page.transport.start()
  await elapse(() => expect(page.transport.state).toBe('connected'))
  await started
  expect(made).toEqual(['mcp', 'mcp', 'mcp~1'])
  expect(globalThis.SharedWorker).toBe(Original)
  expect(page.errors).toMatchObject([{ code: 'worker_failed' }, { code: 'worker_failed' }])
  origin.kill()
  await elapse(() => expect(page.states).toEqual(['connected', 'reconnecting', 'connected']))
  expect(made.at(-1)).toBe('mcp~1')
  await page.transport.close()
})

test('F26 a reconnecting page tries again and again, tells of each failure, and gets on when it can', async () => {
  let broken = false
  const page = await origin.page({}, () => {
    if (broken) throw new Error('offline')
    return origin.factory()
  })
  broken = true
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  origin.kill()
  await elapse(() => expect(page.errors.length).toBeGreaterThan(5))
  broken = false
  await elapse(() => expect(page.transport.state).toBe('connected'))
  expect(page.errors[0]).toMatchObject({ code: 'worker_failed', message: expect.stringContaining('offline') })
  expect(page.closes).toBe(0)
  await page.transport.close()
})

test('a worker that dies while it opens its storage is not waited for', async () => {
  const page = new FakePage(origin.space, () => {
    const made = origin.factory()
    if (origin.workers.length === 1) origin.worker.accept = () => new Promise(() => undefined)
    return made
  })
  const started = page.transport.start()
  await soon(() => expect(origin.worker.door.connections()).toBe(1))
  origin.kill()
  await started
  expect(origin.workers).toHaveLength(2)
  await page.transport.close()
})

test('a factory that is none is told with what to give', async () => {
  const page = new FakePage(origin.space, 'worker.js' as never)
  await expect(page.transport.start()).rejects.toMatchObject({
    code: 'worker_failed',
    message: expect.stringContaining('Pass a function that creates it')
  })
})
