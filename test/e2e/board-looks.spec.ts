// Pictures for people to look at: they are kept in test-results, and docs/board.png is the first of them.
import { dialog, open, run, task, tool, whatIf } from './board.js'
import type { Page } from './fixtures.js'
import { expect, test } from './fixtures.js'

/** A board with something of everything on it. */
async function fill(page: Page): Promise<void> {
  await run(page, 'Fail on purpose')
  await run(page, 'Count down', { Seconds: '600' })
  await run(page, 'Profile a table', { Pause: '0' })
  await dialog(page, 'What is this column?').getByRole('button', { name: 'Submit' }).click()
  await run(page, 'Delete a note')
  await dialog(page).getByRole('button', { name: 'Decline' }).click()
  await run(page, 'Write a haiku', { Topic: 'closing tabs' })
  await dialog(page).getByRole('button', { name: 'Later' }).click()
  // A table that nobody is asked about, however long the pictures take.
  const table = ['city,size', ...Array.from({ length: 10 }, (_, row) => `City ${row},${row}.5`)].join('\n')
  await (await tool(page, 'Profile a table')).getByRole('textbox', { name: /^CSV/ }).fill(table)
  await run(page, 'Profile a table', { Pause: '2000' })
  const bar = task(page, 'Profile a table').getByRole('progressbar')
  await expect.poll(() => bar.evaluate((element) => (element as HTMLProgressElement).position)).toBeGreaterThan(0.3)
}

test('the board is pictured: wide, dark, narrow, with a question, with what went wrong, with a task open', async ({
  openTab
}, info) => {
  const page = await openTab()
  await page.setViewportSize({ width: 1280, height: 900 })
  const taken: string[] = []
  const take = async (name: string, fullPage = false): Promise<void> => {
    const path = info.outputPath(`${name}.png`)
    await page.evaluate(() => scrollTo(0, 0))
    await page.screenshot({ path, fullPage })
    await info.attach(name, { path, contentType: 'image/png' })
    taken.push(name)
  }
  await fill(page)
  // Rules for what tools show must not reach the page's own.
  expect(await page.locator('.brand img').boundingBox()).toMatchObject({ width: 36, height: 36 })
  await take('wide')
  await page.emulateMedia({ colorScheme: 'dark' })
  await take('dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.getByRole('button', { name: 'Answer', exact: true }).click()
  await expect(dialog(page, 'A tool asks the model')).toBeVisible()
  await take('question')
  await dialog(page).getByRole('button', { name: 'Later' }).click()
  await (await whatIf(page)).getByRole('button', { name: 'Kill the worker' }).click()
  await expect(await whatIf(page)).toContainText(/\d of \d tasks still there/)
  await take('what-if', true)
  await task(page, 'Delete a note').scrollIntoViewIfNeeded()
  await open(page, 'Delete a note')
  await expect(page.getByRole('region', { name: 'Outcome' })).toContainText('Kept notes.txt')
  await take('task')
  await page.setViewportSize({ width: 360, height: 740 })
  await take('task-narrow', true)
  await page.getByRole('link', { name: '← All tasks' }).click()
  await take('narrow', true)
  expect(taken).toHaveLength(7)
})
