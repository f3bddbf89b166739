// A thousand connections come and go, and nothing of them stays.

import type { Page } from './fixtures.js'
import { expect, test } from './fixtures.js'
import type { SharedWorkers } from './shared-workers.js'
import { connected, locksOf, tabsPage } from './tabs.js'

type Send = <Result>(method: string, params?: object) => Promise<Result>

/** Counts the objects of a kind that are left after a collection. */
async function count(send: Send, kind: string): Promise<number> {
  const { result } = await send<{ result: { objectId: string } }>('Runtime.evaluate', {
    expression: `${kind}.prototype`
  })
  const { objects } = await send<{ objects: { objectId: string } }>('Runtime.queryObjects', {
    prototypeObjectId: result.objectId
  })
  const { result: length } = await send<{ result: { value: number } }>('Runtime.callFunctionOn', {
    objectId: objects.objectId,
    functionDeclaration: 'function () { return this.length }'
  })
  for (const { objectId } of [result, objects]) await send('Runtime.releaseObject', { objectId })
  return length.value
}

async function measure(send: Send): Promise<{ ports: number; signals: number; heap: number }> {
  await send('HeapProfiler.collectGarbage')
  const { usedSize } = await send<{ usedSize: number }>('Runtime.getHeapUsage')
  // Chromium keeps every SharedWorker object with its port, closed as it may be, until the worker dies.
  const kept = await count(send, '(globalThis.SharedWorker ?? class {})')
  return { ports: (await count(send, 'MessagePort')) - kept, signals: await count(send, 'AbortSignal'), heap: usedSize }
}

const cycles = (page: Page, number: number): Promise<void> =>
  page.evaluate(async (times) => {
    for (let i = 0; i < times; i++) {
      const one = newTab()
      const failure = await one.connected
      if (failure) throw new Error(failure.message)
      await one.client.close()
    }
  }, number)

async function sides(page: Page, workers: SharedWorkers): Promise<Send[]> {
  const session = await page.context().newCDPSession(page)
  const ofPage: Send = async <Result>(method: string, params = {}) =>
    (await session.send(method as 'Runtime.evaluate', params as { expression: string })) as unknown as Result
  return [ofPage, (method, params) => workers.send('tabs.worker', method, params)]
}

test('F32 a thousand connections leave no port, signal or lock, in the page or in the worker, and no memory', async ({
  openTab,
  workers
}) => {
  const page = await openTab(tabsPage())
  await connected(page)
  const [ofPage, ofWorker] = await sides(page, workers)
  if (!ofPage || !ofWorker) throw new Error('Two sides are measured')
  await cycles(page, 100)
  const locks = new Set(await locksOf(page))
  const before = [await measure(ofPage), await measure(ofWorker)]
  await cycles(page, 1_000)
  await expect.poll(async () => new Set(await locksOf(page)).size).toBe(locks.size)

  for (const [side, send] of [ofPage, ofWorker].entries()) {
    const then = before[side]
    if (then === undefined) continue
    await expect.poll(async () => (await measure(send)).ports).toBeLessThanOrEqual(then.ports + 2)
    await expect.poll(async () => (await measure(send)).signals).toBeLessThanOrEqual(then.signals + 20)
    const { heap } = await measure(send)
    // A kilobyte a connection: what the browser keeps of it, and the events that the tests' worker collects.
    expect(heap - then.heap).toBeLessThan(1_000_000)
  }
})

test('F32 tabs that close and crash leave nothing in the worker', async ({ openTab, workers }) => {
  const page = await openTab(tabsPage())
  await connected(page)
  const [, ofWorker] = await sides(page, workers)
  if (!ofWorker) throw new Error('The worker is measured')
  const { ports } = await measure(ofWorker)
  const locks = new Set(await locksOf(page))
  for (let i = 0; i < 8; i++) {
    const other = await openTab(tabsPage())
    await connected(other)
    await other.close()
  }
  await expect.poll(async () => new Set(await locksOf(page)).size).toBe(locks.size)
  await expect.poll(async () => (await measure(ofWorker)).ports).toBeLessThanOrEqual(ports + 1)
  const types = JSON.parse(await page.evaluate(() => tab.call('events'))) as { type: string }[]
  const number = (type: string): number => types.filter((event) => event.type === type).length
  expect(number('opened') - number('closed')).toBe(1)
})
