import type { Browser } from '@playwright/test'
import { deleteStorage, failStorage, killWorker, stallStorage, type StorageErrorName } from 'intab/testing'
import { SharedWorkers } from '../../src/testing/shared-workers.js'
import { expect, test } from './fixtures.js'

const path = '/test/e2e/pages/life.html'
const done = ['completed', 'woke in run 1']

test('a task that starts while the storage is stalled goes on when the stall ends', async ({ openTab }) => {
  const page = await openTab(path)
  await page.evaluate(() => life.connected)
  const release = await stallStorage(page, 600_000)
  let ended = false
  const result = page
    .evaluate(async () => life.result(await life.start('nap', { ms: 0 })))
    .finally(() => (ended = true))
  for (let turn = 0; turn < 50; turn += 1) await page.evaluate(() => life.connected)
  expect(ended).toBe(false)
  await release()
  expect(await result).toEqual(done)
})

test('a transaction that failStorage lets fail changes nothing, and the next ones succeed', async ({ openTab }) => {
  const page = await openTab(path)
  await page.evaluate(() => life.connected)
  const restore = await failStorage(page, 'QuotaExceededError')
  const failed = page.evaluate(() => life.start('nap', { ms: 0 }))
  await expect(failed).rejects.toThrow(/full|quota/i)
  const restoreLater = await failStorage(page, 'QuotaExceededError')
  await restore()
  await expect(page.evaluate(() => life.start('nap', { ms: 0 }))).rejects.toThrow(/full|quota/i)
  await restoreLater()
  expect(await page.evaluate(() => life.all())).toEqual([])
  expect(await page.evaluate(async () => life.result(await life.start('nap', { ms: 0 })))).toEqual(done)
})

test('a page without storage and a worker that nobody has are named', async ({ openTab, page: blank }) => {
  for (const refused of [stallStorage(blank, 1), deleteStorage(blank)]) {
    await expect(refused).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining('about:blank has no storage')
    })
  }
  const page = await openTab(path)
  await page.evaluate(() => life.connected)
  await expect(killWorker(page, { name: 'nobody' })).rejects.toMatchObject({
    code: 'worker_gone',
    message: expect.stringMatching(/"name":"nobody".*: .* at http/)
  })
})

test('a deleted database is made anew, and what cannot be done says why', async ({ openTab }) => {
  const page = await openTab(path)
  await expect(deleteStorage(page, { database: 'nobody' })).rejects.toMatchObject({ code: 'invalid_options' })
  await expect(stallStorage(page, NaN)).rejects.toMatchObject({ code: 'invalid_options' })
  await page.evaluate(() => life.connected)
  await page.evaluate(() => life.start('nap', { ms: 0 }))
  await deleteStorage(page)
  expect(await page.evaluate(() => life.all())).toEqual([])
  expect(await page.evaluate(async () => life.result(await life.start('nap', { ms: 0 })))).toEqual(done)
})

test('failStorage with { times } lets so many transactions fail, and the task survives them', async ({ openTab }) => {
  for (const name of ['AbortError', 'UnknownError', 'TimeoutError'] as const) {
    const page = await openTab(path)
    await page.evaluate(() => life.connected)
    const taskId = await page.evaluate(() => life.start('survey'))
    const result = page.evaluate((id) => life.result(id), taskId)
    await expect.poll(() => page.evaluate(() => life.asked.length)).toBe(1)
    await failStorage(page, name, { times: 3 })
    await page.evaluate(() => life.answer({ action: 'accept', content: {} }))
    expect(await result, name).toEqual(['completed', 'accept'])
    await page.close()
  }
})

test('failStorage refuses what is no number of transactions and no error of IndexedDB', async ({ openTab }) => {
  const page = await openTab(path)
  await page.evaluate(() => life.connected)
  for (const times of [0, NaN, -3, 1.5]) {
    await expect(failStorage(page, 'UnknownError', { times })).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining(`got ${times}`)
    })
  }
  await expect(failStorage(page, 'Nonsense' as StorageErrorName)).rejects.toMatchObject({
    code: 'invalid_options',
    message: expect.stringContaining("'Nonsense'")
  })
  expect(await page.evaluate(async () => life.result(await life.start('nap', { ms: 0 })))).toEqual(done)
})

test('a stall is ended without an error when its page has gone on or closed', async ({ openTab }) => {
  const page = await openTab(path)
  for (const leave of [() => page.reload(), () => page.close()]) {
    await page.evaluate(() => life.connected)
    const end = await stallStorage(page, 60_000)
    await leave()
    await end()
  }
})

test('what is asked of a worker that ends is refused with worker_gone', async ({ openTab, origin }) => {
  const page = await openTab(path)
  await page.evaluate(() => life.connected)
  const all = await SharedWorkers.of(page.context().browser() as Browser)
  const worker = all.all().find(({ url }) => url.startsWith(origin))
  const id = worker?.id ?? ''
  const never = all.send(id, 'Runtime.evaluate', { expression: 'new Promise(() => 0)', awaitPromise: true })
  const refused = expect(never).rejects.toMatchObject({ code: 'worker_gone' })
  await killWorker(page)
  await refused
  await expect(all.send(id, 'Runtime.evaluate', { expression: '0' })).rejects.toMatchObject({ code: 'worker_gone' })
})
