import { faults } from './axe.js'
import { openApp } from './devtools.js'
import type { Page } from './fixtures.js'
import { expect, test } from './fixtures.js'

const rows = (page: Page) => page.getByRole('listbox', { name: /^Tasks/ }).getByRole('option')

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
  for (const name of [
    /^before\. its value/,
    /^after\. its value/,
    /^Shown: go on\?\. in this tab/,
    /^Answered: go on\?/
  ]) {
    await expect(picture.getByRole('img', { name })).toHaveCount(1)
  }
  const table = page.getByRole('table', { name: 'What happened' })
  // The table says what the picture shows: a row for each mark, and one of names.
  const marks = await picture.getByRole('img').count()
  await expect(table.getByRole('row')).toHaveCount(marks + 1)
  await expect(table.getByRole('row', { name: /run 2/i })).toHaveCount(2)
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

test('a sleep is as long as it was told, and a task that slept in two workers shows both', async ({
  openTab,
  killWorker
}) => {
  const page = await openApp(openTab)
  await page.evaluate(() => inspected.start('nap', { ms: 3_600_000 }))
  await rows(page).filter({ hasText: 'nap' }).click()
  const picture = page.getByRole('group', { name: /^Time line of nap/ })
  await expect(picture.getByRole('img', { name: /^Sleep of 1 h\. until/ })).toHaveCount(1)
  const first = await page.evaluate(() => inspected.worker())
  await killWorker()
  await expect.poll(() => page.evaluate(() => inspected.worker())).not.toBe(first)
  await expect(picture.getByRole('img', { name: /^Run [12]\. in worker/ })).toHaveCount(2)
  await expect(picture.getByRole('img', { name: /^Sleep of 1 h\. until/ })).toHaveCount(1)
  await page.reload()
  await page.evaluate(() => inspected.connected)
  await rows(page).filter({ hasText: 'nap' }).click()
  await expect(picture.getByRole('img', { name: /^Worker .* died\. between/ })).not.toHaveCount(0)
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
