// What the other tests rely on to fail: that the fixtures see what goes wrong.

import { expect, test } from './fixtures.js'

test('uncaught errors of pages and of workers are seen', async ({ openTab, problems }) => {
  await openTab('/test/e2e/pages/troubled.html')
  for (const message of ['thrown in the page', 'thrown in the worker', 'rejected in the worker']) {
    await expect.poll(() => problems.join('\n')).toContain(message)
  }
  problems.length = 0
})

test('a violation of the policy in a worker is seen, even if the worker swallows the error', async ({
  openTab,
  problems,
  cspReports
}) => {
  await openTab('/test/e2e/pages/troubled.html')
  await expect
    .poll(async () => (await cspReports()).map((report) => report['csp-report']))
    .toContainEqual(expect.objectContaining({ 'effective-directive': 'script-src', 'blocked-uri': 'eval' }))
  await expect.poll(() => problems.length).toBe(3)
  problems.length = 0
})

test('a killed worker is gone, and its page can start another', async ({ openTab, killWorker, workers, problems }) => {
  const page = await openTab('/test/e2e/pages/troubled.html')
  await expect.poll(() => workers.urls()).toHaveLength(1)
  await killWorker('troubled')
  expect(workers.urls()).toHaveLength(0)
  await page.reload()
  await expect.poll(() => workers.urls()).toHaveLength(1)
  await expect.poll(() => problems.join('\n')).toContain('thrown in the worker')
  problems.length = 0
})
