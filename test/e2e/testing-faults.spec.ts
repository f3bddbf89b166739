import { deleteStorage, failStorage, stallStorage } from 'intab/testing'
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
  await restore()
  expect(await page.evaluate(() => life.all())).toEqual([])
  expect(await page.evaluate(async () => life.result(await life.start('nap', { ms: 0 })))).toEqual(done)
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
