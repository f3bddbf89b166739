import { expect, test } from './fixtures.js'

const path = '/test/e2e/pages/life.html'

test('F45 a result that does not fit on the disk is kept and says so, the next small task succeeds, and it is stored once there is room', async ({
  openTab,
  origin
}) => {
  const page = await openTab('/test/e2e/pages/road.html')
  const cdp = await page.context().newCDPSession(page)
  // Before the first write: the browser remembers for a while how much room it found.
  await cdp.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 3_000_000 })
  await page.goto(path)
  await page.evaluate(() => life.connected)
  const before = await page.evaluate(() => life.start('large', { bytes: 10 }))
  expect((await page.evaluate((id) => life.result(id), before))[0]).toBe('completed')

  const large = await page.evaluate(() => life.start('large', { bytes: 6_000_000 }))
  await expect
    .poll(() => page.evaluate((id) => life.message(id), large))
    .toContain('The result is ready, but the storage of this site is full')
  const next = await page.evaluate(() => life.start('large', { bytes: 10 }))
  expect((await page.evaluate((id) => life.result(id), next))[0]).toBe('completed')
  expect(await page.evaluate(() => life.statuses())).toEqual({
    [before]: 'completed',
    [large]: 'working',
    [next]: 'completed'
  })

  await cdp.send('Storage.overrideQuotaForOrigin', { origin })
  const [status, text] = await page.evaluate((id) => life.result(id), large)
  expect([status, text.length]).toEqual(['completed', 6_000_000])
})
