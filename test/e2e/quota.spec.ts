import { expect, test } from './fixtures.js'

const path = '/test/e2e/pages/life.html'

test('F45 a result that does not fit on the disk fails its task visibly, writes nothing by half, and the next small task succeeds', async ({
  openTab,
  baseURL
}) => {
  const page = await openTab('/test/e2e/pages/road.html')
  const cdp = await page.context().newCDPSession(page)
  const origin = new URL(baseURL ?? '').origin
  // Before the first write: the browser remembers for a while how much room it found.
  await cdp.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 3_000_000 })
  await page.goto(path)
  await page.evaluate(() => life.connected)
  const before = await page.evaluate(() => life.start('large', { bytes: 10 }))
  expect((await page.evaluate((id) => life.result(id), before))[0]).toBe('completed')

  const large = await page.evaluate(() => life.start('large', { bytes: 6_000_000 }))
  const [status, message, data] = await page.evaluate((id) => life.failure(id), large)
  expect(status).toBe('failed')
  expect(message).toContain('The storage of this site is full')
  expect(data).toMatchObject({ code: 'quota' })

  const next = await page.evaluate(() => life.start('large', { bytes: 10 }))
  expect((await page.evaluate((id) => life.result(id), next))[0]).toBe('completed')
  await cdp.send('Storage.overrideQuotaForOrigin', { origin })
  await page.reload()
  await page.evaluate(() => life.connected)
  expect(await page.evaluate(() => life.statuses())).toEqual({
    [before]: 'completed',
    [large]: 'failed',
    [next]: 'completed'
  })
  expect((await page.evaluate((id) => life.failure(id), large))[1]).toBe(message)
})
