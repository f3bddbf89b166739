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
