import { faults } from './axe.js'
import { openApp } from './devtools.js'
import type { Page } from './fixtures.js'
import { expect, test } from './fixtures.js'

const rows = (page: Page) => page.getByRole('listbox', { name: /^Tasks/ }).getByRole('option')

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
