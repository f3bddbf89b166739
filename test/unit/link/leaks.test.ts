import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { openFrontDoor } from '../../../src/link/front-door.js'
import { memoryLocks } from '../../doubles/locks.js'
import { FakePage, Origin, request, soon } from './rig.js'

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc') as () => void

/** A window that counts what listens to it. */
class CountingTarget extends EventTarget {
  listeners = 0
  override addEventListener(...args: Parameters<EventTarget['addEventListener']>): void {
    this.listeners += 1
    super.addEventListener(...args)
  }
  override removeEventListener(...args: Parameters<EventTarget['removeEventListener']>): void {
    this.listeners -= 1
    super.removeEventListener(...args)
  }
}

const openPorts = (): number => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length

/** Uses a page and lets go of it; what is left is for the garbage collector. */
async function use(origin: Origin, window: EventTarget): Promise<WeakRef<FakePage>> {
  const page = await origin.page({ page: window })
  await page.transport.send(request(1, 'ping'))
  await page.transport.close()
  return new WeakRef(page)
}

test('F32 F34 a thousand connections leave no port, proxy, lock or listener', async () => {
  const origin = new Origin()
  const window = new CountingTarget()
  const before = openPorts()
  const pages: WeakRef<FakePage>[] = []
  for (let cycle = 0; cycle < 1_000; cycle += 1) {
    pages.push(await use(origin, window))
    origin.worker.sessions.length = 0
  }
  await soon(() => expect(origin.worker.door.connections()).toBe(0))
  expect(window.listeners).toBe(0)
  expect(origin.space.names).toEqual([origin.worker.lock])
  await soon(() => expect(openPorts() - before).toBe(0))
  await soon(() => {
    gc()
    expect(pages.filter((page) => page.deref()).length).toBeLessThan(5)
  })
})

test('F32 pages that crash leave nothing in the worker', async () => {
  const origin = new Origin()
  const before = openPorts()
  for (let cycle = 0; cycle < 50; cycle += 1) {
    const page = await origin.page()
    await page.transport.send(request(1, 'ping'))
    page.crash()
  }
  await soon(() => expect(origin.worker.door.connections()).toBe(0))
  expect(origin.space.names).toEqual([origin.worker.lock])
  expect(origin.worker.sessions.every(({ signal }) => signal.aborted)).toBe(true)
  await soon(() => expect(openPorts() - before).toBe(0))
})

test(
  'F34 a page that outlives many workers keeps the ports and locks of one connection',
  { timeout: 20_000 },
  async () => {
    const origin = new Origin()
    const before = openPorts()
    const page = await origin.page()
    for (let death = 1; death <= 20; death += 1) {
      origin.kill()
      await soon(() => expect(origin.workers).toHaveLength(death + 1))
      await soon(() => expect(page.transport.state).toBe('connected'))
    }
    await soon(() => expect(openPorts() - before).toBe(2))
    const { hello } = origin.worker.session
    const held = [hello.locks.connection, hello.locks.session, origin.worker.lock]
    expect(origin.space.names.sort()).toEqual(held.sort())
    await page.transport.close()
  }
)

test('a page that fails to connect leaves nothing', async () => {
  const origin = new Origin()
  const window = new CountingTarget()
  const before = openPorts()
  for (let cycle = 0; cycle < 50; cycle += 1) {
    const page = new FakePage(
      origin.space,
      () => {
        const made = origin.factory()
        origin.worker.accept = () => Promise.reject(new Error('full'))
        return made
      },
      { page: window }
    )
    await expect(page.transport.start()).rejects.toThrow('full')
  }
  expect(window.listeners).toBe(0)
  expect(origin.space.names).toEqual([origin.worker.lock])
  await soon(() => expect(openPorts() - before).toBe(0))
})

test('F30 what is collected of a client that closed does not shut the door of a server in the page', async () => {
  const { space } = new Origin()
  const locks = memoryLocks(space)
  await locks.hold('host')
  const { port1, port2 } = new MessageChannel()
  const door = openFrontDoor(
    port2,
    locks,
    async () => 'host',
    async ({ transport }) => {
      await transport.start()
      return { version: 1, worker: 'w', lock: 'host' }
    }
  )
  for (let client = 0; client < 5; client += 1) {
    const page = new FakePage(space, () => port1)
    await page.transport.start()
    await page.transport.send(request(1, 'ping'))
    await page.transport.close()
    for (let turn = 0; turn < 5; turn += 1) {
      gc()
      await new Promise(setImmediate)
    }
  }
  await soon(() => expect(door.connections()).toBe(0))
  door.close()
  port1.close()
})
