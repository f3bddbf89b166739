import { expect, test } from './fixtures.js'

test("F41 the storage and bus contracts hold over the browser's own IndexedDB and BroadcastChannel", async ({
  openTab
}) => {
  const page = await openTab('/test/e2e/pages/contract.html')
  const { passed, failed } = await page.evaluate(() => report)
  expect(failed).toEqual([])
  expect(passed.length).toBeGreaterThan(100)
})
