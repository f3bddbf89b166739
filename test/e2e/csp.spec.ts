import { expect, test } from './fixtures.js'

test('page and worker are served under a policy that forbids inline and compiled code', async ({
  openTab,
  workers
}) => {
  const page = await openTab()
  await expect.poll(() => workers.urls()).toHaveLength(1)
  for (const url of [page.url(), ...workers.urls()]) {
    const policy = (await page.request.get(url)).headers()['content-security-policy']
    expect(policy).toContain("script-src 'self';")
    expect(policy).not.toContain('unsafe')
  }
})

test('F20 the whole road violates no policy, in the page or in the worker', async ({ openTab, cspReports }) => {
  const page = await openTab()
  await page.getByLabel('filename').fill('a.txt')
  await page.getByRole('form', { name: 'Delete a file' }).getByRole('button').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByRole('listitem')).toContainText('Kept')

  // Reports come in order: once this one is there, none before it is still on its way.
  const url = `http://${crypto.randomUUID()}.test/a.png`
  await page.evaluate((src) => void (new Image().src = src), url)
  const uris = async (): Promise<string[]> =>
    (await cspReports())
      .map((report) => report['csp-report'])
      .filter((report) => !report['document-uri'].includes('troubled'))
      .map((report) => report['blocked-uri'])
  await expect.poll(uris).toContain(url)
  expect((await uris()).filter((uri) => !uri.includes('.test/'))).toEqual([])
})
