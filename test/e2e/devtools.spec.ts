import { faults } from './axe.js'
import type { Page } from './fixtures.js'
import { expect, test } from './fixtures.js'

const path = '/test/e2e/pages/devtools.html'
const rows = (page: Page) => page.getByRole('listbox', { name: /^Tasks/ }).getByRole('option')

async function openApp(openTab: (path: string) => Promise<Page>): Promise<Page> {
  const page = await openTab(path)
  await page.evaluate(() => inspected.connected)
  return page
}

test('a task is a picture: its question, the death of its worker, the run after it and its outcome', async ({
  openTab,
  killWorker,
  cspReports
}, testInfo) => {
  const page = await openApp(openTab)
  await page.evaluate(async () => {
    await inspected.start('large', { bytes: 100 })
    await inspected.start('nap', { ms: 3_600_000 })
    await inspected.start('nap', { ms: -1 })
    await inspected.start('survey')
  })
  await rows(page).filter({ hasText: 'survey' }).click()
  await expect.poll(() => page.evaluate(() => inspected.asked())).toBe(1)
  const first = await page.evaluate(() => inspected.worker())
  await killWorker()
  await expect.poll(() => page.evaluate(() => inspected.worker())).not.toBe(first)
  const picture = page.getByRole('group', { name: /^Time line of survey/ })
  await expect(picture.getByRole('img', { name: /died/ })).toHaveCount(1)
  await expect(picture.getByRole('img', { name: /^Run 2\. in worker/ })).toHaveCount(1)
  await page.evaluate(() => inspected.accept())
  await expect(picture.getByRole('img', { name: /^completed/ })).toHaveCount(1)
  await expect(picture.getByRole('img', { name: /^Asked: go on\?.*answered/ })).toHaveCount(1)
  const table = page.getByRole('table', { name: 'What happened' })
  // The table says what the picture shows: a row for each mark, and one of names.
  const marks = await picture.getByRole('img').count()
  await expect(table.getByRole('row')).toHaveCount(marks + 1)
  await expect(table.getByRole('row', { name: /Run 2/ })).toHaveCount(2)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    // For people to look at.
    await page.screenshot({ path: testInfo.outputPath(`${colorScheme}.png`) })
    expect(await faults(page), colorScheme).toEqual([])
  }
  await page.setViewportSize({ width: 390, height: 760 })
  await expect(page.getByRole('button', { name: 'Back' })).toBeVisible()
  expect(await faults(page), 'narrow').toEqual([])
  await page.screenshot({ path: testInfo.outputPath('narrow.png') })
  expect(await cspReports()).toEqual([])
})

test('the marks of a picture are reached by keys, told, and zoomed', async ({ openTab }) => {
  const page = await openApp(openTab)
  await page.evaluate(() => inspected.start('survey'))
  await rows(page).filter({ hasText: 'survey' }).click()
  const picture = page.getByRole('group', { name: /^Time line of survey/ })
  await expect(picture.getByRole('img', { name: /^Shown/ })).toHaveCount(1)
  await picture.getByRole('img').first().focus()
  await page.keyboard.press('End')
  const last = picture.getByRole('img').last()
  await expect(last).toBeFocused()
  await expect(page.locator('.tip')).toHaveText((await last.getAttribute('aria-label')) ?? '')
  const ticks = () => picture.locator('.tick').allTextContents()
  const before = await ticks()
  await page.keyboard.press('+')
  await expect.poll(ticks).not.toEqual(before)
  await picture.getByRole('img').first().hover()
  await expect(page.locator('.tip')).toHaveText(/^Run 1/)
})

test('of many tasks only those in sight are elements; a search, a status and the arrow keys find one', async ({
  openTab
}) => {
  const page = await openApp(openTab)
  const oldest = await page.evaluate(async () => {
    const first = await inspected.start('survey')
    for (let n = 0; n < 200; n += 1) await inspected.start('nap', { ms: 3_600_000 })
    return first
  })
  await expect(page.getByRole('status').first()).toHaveText('201 of 201')
  expect(await rows(page).count()).toBeLessThan(60)
  await page.getByRole('listbox').focus()
  await page.keyboard.press('End')
  await expect(page.locator('[role=option][aria-selected=true]')).toHaveAttribute('aria-posinset', '201')
  await expect(page.locator('.id')).toHaveText(oldest)
  await page.getByLabel('Search').fill(`survey ${oldest.slice(0, 6)}`)
  await expect(rows(page)).toHaveCount(1)
  await page.getByLabel('Search').fill('')
  await page.getByLabel('Status').selectOption('needs an answer')
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(rows(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByLabel('Status').selectOption('every status')
  await expect(page.getByRole('status').first()).toHaveText('200 of 200')
})

test('styles stay in the panel, and nothing of it stays when it is unmounted', async ({ openTab }) => {
  const page = await openApp(openTab)
  await expect(page.locator('intab-devtools')).toHaveCount(1)
  expect(
    await page.evaluate(() => document.adoptedStyleSheets.length + document.querySelectorAll('style').length)
  ).toBe(0)
  await page.evaluate(() => inspected.unmount())
  await expect(page.locator('intab-devtools')).toHaveCount(0)
})

test('an open question tells who shows it since when, and is taken over by another tab', async ({
  openTab,
  cspReports
}, testInfo) => {
  const asking = await openApp(openTab)
  await asking.evaluate(() => inspected.start('survey'))
  await expect.poll(() => asking.evaluate(() => inspected.asked())).toBe(1)
  const other = await openApp(openTab)
  const questions = async (page: Page) => {
    await page.getByRole('tab', { name: 'Tasks' }).focus()
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('tab', { name: 'Questions' })).toHaveAttribute('aria-selected', 'true')
    return page.getByRole('article', { name: 'Question of survey' })
  }
  const [there, here] = [await questions(asking), await questions(other)]
  await expect(there).toContainText(/This tab shows it since \d\d:/)
  await expect(here).toContainText(/Another tab shows it since \d\d:/)
  await here.getByRole('button', { name: 'Answer here' }).click()
  await expect.poll(() => other.evaluate(() => inspected.asked())).toBe(1)
  await expect(here).toContainText('This tab shows it since')
  await expect(there).toContainText('Another tab shows it since')
  // For people to look at.
  await other.screenshot({ path: testInfo.outputPath('questions.png') })
  expect(await faults(other)).toEqual([])
  await other.evaluate(() => inspected.accept())
  await expect(there).toHaveCount(0)
  await expect(other.getByText('No task waits for an answer.')).toBeVisible()
  expect(await cspReports()).toEqual([])
})

const choosePane = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('tab', { name }).click()
  await expect(page.getByRole('tabpanel', { name })).toBeVisible()
}

/** Axe in light, dark and narrow, and pictures for people to look at. */
async function look(page: Page, name: string, path: (file: string) => string): Promise<void> {
  const wide = page.viewportSize()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: path(`${name}-${colorScheme}.png`) })
    expect(await faults(page), colorScheme).toEqual([])
  }
  await page.setViewportSize({ width: 390, height: 760 })
  await page.screenshot({ path: path(`${name}-narrow.png`) })
  expect(await faults(page), 'narrow').toEqual([])
  if (wide !== null) await page.setViewportSize(wide)
}

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
  await expect(fact('Storage')).toContainText(/\d+ k?B of [\d.]+ \wB/)

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
