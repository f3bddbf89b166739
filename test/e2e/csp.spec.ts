import { dialog, open, run, task, tool, whatIf } from './board.js'
import { expect, test } from './fixtures.js'

test('page and worker are served under a policy that forbids inline and compiled code', async ({
  openTab,
  workers
}) => {
  const page = await openTab()
  await expect.poll(() => workers.urls()).toHaveLength(1)
  for (const url of [page.url(), ...workers.urls()]) {
    const policy = await page.evaluate(async (of) => (await fetch(of)).headers.get('content-security-policy'), url)
    expect(policy).toContain("script-src 'self';")
    expect(policy).not.toContain('unsafe')
  }
})

test('F20 the board violates no policy, in the page or in the worker', async ({ openTab, cspReports }) => {
  const page = await openTab()
  await run(page, 'Profile a table', { Pause: '0' })
  await dialog(page).getByRole('button', { name: 'Submit' }).click()
  await expect(task(page, 'Profile a table')).toContainText('completed')
  await open(page, 'Profile a table')
  await expect(page.getByRole('region', { name: 'Outcome' })).toContainText('344 rows')
  await page.getByRole('link', { name: '← All tasks' }).click()
  const save = await tool(page, 'Save a note')
  await save.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(save).toContainText('Saved notes.txt')
  await (await whatIf(page)).getByRole('button', { name: 'Kill the worker' }).click()
  await expect(await whatIf(page)).toContainText('1 of 1 task still there.')
  await run(page, 'Fail on purpose')
  await expect(task(page, 'Fail on purpose')).toContainText('failed')

  // Reports come in order: once this one is there, none before it is still on its way.
  const url = `http://${crypto.randomUUID()}.test/a.png`
  await page.evaluate((src) => void (new Image().src = src), url)
  const uris = async (): Promise<string[]> =>
    (await cspReports()).map((report) => report['csp-report']).map((report) => report['blocked-uri'])
  await expect.poll(uris).toContain(url)
  expect((await uris()).filter((uri) => !uri.includes('.test/'))).toEqual([])
})

test('under Trusted Types only the URL of the worker needs a policy', async ({ openTab, context }) => {
  const path = '/test/e2e/pages/life.html'
  await context.route(`**${path}`, async (route) => {
    // Only the browser knows the names below localhost.
    const url = route
      .request()
      .url()
      .replace(/[^/]+\.localhost/, 'localhost')
    const response = await route.fetch({ url })
    const headers = { ...response.headers(), 'content-security-policy': "require-trusted-types-for 'script'" }
    await route.fulfill({ response, headers })
  })
  await context.addInitScript(() => {
    const urls: string[] = []
    type Factory = { createPolicy(name: string, rules: { createScriptURL(url: string): string }): void }
    const { trustedTypes } = globalThis as unknown as { trustedTypes: Factory }
    // The default policy hears of every text that reaches a sink; HTML and scripts have no rule here, and are refused.
    trustedTypes.createPolicy('default', { createScriptURL: (url) => (urls.push(url), url) })
    Object.assign(globalThis, { urls })
  })
  const page = await openTab(path)
  await page.evaluate(() => life.connected)
  expect(await page.evaluate(async () => life.result(await life.start('nap', { ms: 0 })))).toEqual([
    'completed',
    'woke in run 1'
  ])
  const urls = await page.evaluate(() => (globalThis as unknown as { urls: string[] }).urls)
  expect(urls).toEqual([expect.stringContaining('.js')])
})
