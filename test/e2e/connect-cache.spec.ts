// The port of a page that waits in the back/forward cache, without a Client.

import type { Page } from './fixtures.js'
import { expect, test } from './fixtures.js'

const url = '/test/e2e/pages/connect.html'
const to = (page: Page, kind: string) => page.evaluate((name) => connect.to(name), kind)
const is = (page: Page) => page.evaluate(() => connect.is())
const ask = (page: Page) => page.evaluate(() => connect.ask())

test.use({ ignoreDefaultArgs: ['--disable-back-forward-cache'] })

test('F62 a page that comes back from the cache connects anew, and its worker knew that it was away', async ({
  openTab
}) => {
  const page = await openTab(url)
  const other = await openTab(url)
  await to(page, 'shared')
  await to(other, 'shared')
  const before = await is(page)
  await page.goto(`${url}?elsewhere`)
  await expect.poll(async () => (await ask(other)).connections).toBe(1)
  await page.evaluate(() => history.back())
  await expect.poll(() => page.url()).not.toContain('elsewhere')
  await expect.poll(async () => (await is(page)).states).toEqual(['connected', 'reconnecting', 'connected'])
  const after = await is(page)
  expect(after.session).toBe(before.session)
  expect(after.connection).not.toBe(before.connection)
  expect(await ask(page)).toMatchObject({ connections: 2 })
})
