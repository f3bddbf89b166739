import { choosePane, look, openApp } from './devtools.js'
import { expect, test } from './fixtures.js'

test('the worker tells who it is, who is connected, what is stored, and what happens in it', async ({
  openTab,
  killWorker,
  cspReports
}, testInfo) => {
  const page = await openApp(openTab)
  await openApp(openTab)
  await choosePane(page, 'Worker')
  const panel = page.getByRole('tabpanel', { name: 'Worker' })
  const fact = (name: string) => panel.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) })
  const first = (await page.evaluate(() => inspected.worker())) ?? ''
  await expect(fact('Generation')).toContainText(first)
  await expect(fact('Lock')).toContainText('held by this worker')
  await expect(fact('Connections')).toContainText('2')
  await expect(panel.getByRole('table', { name: 'Connections' }).getByRole('row')).toHaveCount(3)
  await expect(panel.getByRole('cell', { name: /this tab/ })).toHaveCount(1)

  const log = panel.getByRole('listbox', { name: 'Log of the worker' })
  await page.evaluate(() => inspected.start('nap', { ms: 3_600_000 }))
  await expect(log.getByRole('option').filter({ hasText: 'created' })).toContainText('nap')
  await expect(fact('tasks')).toContainText('1')
  await expect(fact('Expires next')).toContainText('nap')
  await expect(fact('Storage')).toContainText(/[\d.]+ \w+ of [\d.]+ \w+/)

  await page.evaluate(() => inspected.start('chatter', { lines: 3 }))
  await expect(log.getByRole('option').filter({ hasText: 'finished' })).toContainText('chatter')
  await expect(log.getByRole('option').filter({ hasText: 'line' })).toHaveCount(0)
  await panel.getByLabel('Console').check()
  await expect
    .poll(async () => {
      await page.evaluate(() => inspected.start('chatter', { lines: 3 }))
      return log.getByRole('option').filter({ hasText: 'line 3' }).count()
    })
    .toBeGreaterThan(0)
  await log.getByRole('option').filter({ hasText: 'line 3 {"of":3}' }).first().click()
  await expect(panel.getByRole('region', { name: 'The chosen line' })).toContainText('"type": "warn"')
  await panel.getByLabel('Search the log').fill('created nap')
  await expect(log.getByRole('option')).toHaveCount(1)
  await panel.getByLabel('Search the log').fill('')
  await look(page, 'worker', (file) => testInfo.outputPath(file))

  await killWorker()
  await expect(fact('Generation')).not.toContainText(first)
  expect(await cspReports()).toEqual([])
})

test('messages are recorded only on request: both ways, timed, filtered and copied', async ({
  openTab,
  cspReports
}, testInfo) => {
  const page = await openApp(openTab)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await choosePane(page, 'Messages')
  const panel = page.getByRole('tabpanel', { name: 'Messages' })
  const lines = (name: RegExp) => panel.getByRole('listbox', { name: 'Messages' }).getByRole('option', { name })
  await page.evaluate(() => inspected.start('nap', { ms: 3_600_000 }))
  expect(await page.evaluate(() => inspected.tapped())).toBe(false)
  await expect(panel.getByText('Tick "Record"')).toBeVisible()

  await panel.getByLabel('Record').check()
  expect(await page.evaluate(() => inspected.tapped())).toBe(true)
  await page.evaluate(() => inspected.start('survey'))
  await expect(lines(/^\S+ sent tools\/call #\d+ .*"name":"survey"/)).toHaveCount(1)
  await expect(lines(/received tools\/call #\d+ result in [\d.]+ m?s/)).toHaveCount(1)
  await expect(lines(/received elicitation\/create #task:/)).toHaveCount(1)
  await page.evaluate(() => inspected.accept())
  await expect(lines(/sent elicitation\/create #task:\S+ result in/)).toHaveCount(1)
  await expect(lines(/received tasks\/result #\d+ result in/)).toHaveCount(1)
  await look(page, 'messages', (file) => testInfo.outputPath(file))

  await panel.getByLabel('Kind').selectOption('notifications')
  await expect(lines(/tools\/call/)).toHaveCount(0)
  await expect(lines(/notifications\/tasks\/status/)).not.toHaveCount(0)
  await panel.getByLabel('Kind').selectOption('every message')
  await panel.getByLabel('Search the log').fill('sent tools/call')
  await expect(lines(/./)).toHaveCount(1)
  await lines(/./).first().click()
  await expect(panel.getByRole('region', { name: 'The chosen line' })).toContainText('"method": "tools/call"')
  await panel.getByRole('button', { name: 'Copy' }).click()
  await expect
    .poll(() => page.evaluate(async () => JSON.parse(await navigator.clipboard.readText()) as unknown))
    .toMatchObject({ method: 'tools/call', params: { name: 'survey' } })

  await choosePane(page, 'Tasks')
  expect(await page.evaluate(() => inspected.tapped())).toBe(false)
  expect(await cspReports()).toEqual([])
})

test('faults are tried out by buttons, and what survived is told', async ({ openTab, cspReports }, testInfo) => {
  const page = await openApp(openTab)
  const other = await openApp(openTab)
  await page.evaluate(async () => {
    await inspected.start('nap', { ms: 3_600_000 })
    await inspected.start('survey')
  })
  await expect.poll(() => page.evaluate(() => inspected.asked())).toBe(1)
  await choosePane(page, 'Acts')
  const act = (label: string) => page.getByRole('button', { name: label }).click()
  const card = (title: string) => page.getByRole('article', { name: title })

  await act('Freeze or release the answers')
  await expect(card('This tab does not answer')).toContainText('No answer of this tab reaches the server now.')
  await page.evaluate(() => inspected.accept())
  await choosePane(other, 'Questions')
  await expect(other.getByRole('article', { name: 'Question of survey' })).toContainText('Another tab shows it')
  await act('Freeze or release the answers')
  await expect(card('This tab does not answer')).toContainText('Answers go out again; 1 waited.')
  await expect(other.getByText('No task waits for an answer.')).toBeVisible()

  const first = await page.evaluate(() => inspected.worker())
  await act('Kill the worker')
  const killed = card('The worker dies')
  await expect(killed).toContainText(/Worker \w{4} is gone; \w{4} serves after \d+ ms/)
  await expect(killed).toContainText('2 of 2 tasks still there.')
  await expect(killed).toContainText('1 task went on in another worker.')
  expect(await page.evaluate(() => inspected.worker())).not.toBe(first)

  const dropped = card('This tab drops out')
  await act('Drop or restore the connection')
  await expect(dropped).toContainText('This tab is disconnected.')
  await act('Drop or restore the connection')
  await expect(dropped).toContainText('Connected again.')
  await expect(dropped).toContainText('1 task runs on as if nothing had happened.')
  await look(page, 'acts', (file) => testInfo.outputPath(file))
  expect(await cspReports()).toEqual([])
})
