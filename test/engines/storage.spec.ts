// The contract of the storage over each engine's own IndexedDB, on disk where the target keeps its profile there.
import type { Report } from '../e2e/pages/vitest-in-page.js'
import { expect, test } from './fixtures.js'

declare global {
  var report: Promise<Report>
}

test('the storage and bus contracts hold', async ({ engine, site }) => {
  const tab = await engine.open(`${site.origin}/test/e2e/pages/contract.html`)
  const { passed, failed } = await tab.run(() => report)
  expect(failed).toEqual([])
  expect(passed.length).toBeGreaterThan(100)
  await tab.close()
})
