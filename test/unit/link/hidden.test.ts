// A hidden page on a clock of its own, where the browser fires its timers once a minute and everything else on time.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { turn } from '../../support/turns.js'
import { FakePage, Origin, silent } from './rig.js'

const minute = 60_000
/** How far the clock goes with each turn of the event loop; milliseconds. */
const step = 5

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
  const { setTimeout: timer } = globalThis
  const throttled = (act: () => void, ms = 0): unknown => {
    const now = performance.now()
    return timer(act, Math.ceil((now + ms) / minute) * minute - now)
  }
  vi.stubGlobal('document', { visibilityState: 'hidden' })
  vi.stubGlobal('setTimeout', throttled)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** Lets time run until the check holds; how much it took, in ms. */
async function taken(check: () => boolean): Promise<number> {
  const began = performance.now()
  while (!check()) {
    if (performance.now() > began + minute) throw new Error('Nothing happened for a minute')
    await turn()
    vi.advanceTimersByTime(step)
  }
  return performance.now() - began
}

test('a hidden page has its next worker within a second', async () => {
  const origin = new Origin()
  const page = new FakePage(origin.space, origin.factory)
  page.transport.start().catch((error: unknown) => page.errors.push(error as Error))
  await taken(() => page.transport.state === 'connected')
  for (let death = 1; death <= 5; death += 1) {
    origin.kill()
    expect(await taken(() => page.states.filter((state) => state === 'connected').length > death)).toBeLessThan(1_000)
  }
  expect(page.errors).toEqual([])
  await page.transport.close()
})

test('a hidden page that finds its next worker mute makes one of another name within two', async () => {
  const origin = new Origin()
  const made: (string | undefined)[] = []
  let mute = false
  class Original extends EventTarget {
    port: MessagePort
    constructor(_url: string, { name }: { name?: string } = {}) {
      super()
      made.push(name)
      this.port = (mute && name === 'mcp' ? silent() : (origin.factory() as SharedWorker)).port
    }
  }
  vi.stubGlobal('SharedWorker', Original)
  const page = new FakePage(origin.space, () => new SharedWorker('x', { name: 'mcp' }))
  page.transport.start().catch((error: unknown) => page.errors.push(error as Error))
  await taken(() => page.transport.state === 'connected')
  mute = true
  origin.kill()
  expect(await taken(() => page.states.length === 3)).toBeLessThan(2_000)
  expect(made).toEqual(['mcp', 'mcp', 'mcp~1'])
  expect(page.errors).toMatchObject([{ code: 'worker_failed', data: 'silent' }])
  origin.kill()
  expect(await taken(() => page.states.length === 5)).toBeLessThan(1_000)
  expect(made.at(-1)).toBe('mcp~1')
  await page.transport.close()
})

test('a hidden page whose tries all fail leaves the longer waits to its timer', async () => {
  const origin = new Origin()
  let broken = false
  const page = new FakePage(origin.space, () => {
    if (broken) throw new Error('offline')
    return origin.factory()
  })
  page.transport.start().catch((error: unknown) => page.errors.push(error as Error))
  await taken(() => page.transport.state === 'connected')
  broken = true
  origin.kill()
  await taken(() => page.errors.length === 6)
  const asked = vi.spyOn(page.locks, 'free')
  for (let passed = 0; passed < 2_000; passed += step) {
    await turn()
    vi.advanceTimersByTime(step)
  }
  expect(asked).not.toHaveBeenCalled()
  expect(page.errors).toHaveLength(6)
  await page.transport.close()
})
