// What a user does in every example, in a browser.
import { readFile, rename, writeFile } from 'node:fs/promises'
import { expect as within } from '@playwright/test'

// Only ends what hangs: a slow machine is no failure.
const expect = within.configure({ timeout: 60_000 })

/** @typedef {import('@playwright/test').Page} Page */

/**
 * Starts the tool, answers its question, and resolves with the result.
 * @param {Page} page
 */
async function run(page) {
  await page.getByRole('button', { name: 'Delete a.txt' }).click()
  await page.getByRole('button', { name: 'Yes' }).click()
  const output = page.locator('output')
  await expect(output).toHaveText(/^\w+ed a\.txt$/)
  return output.textContent()
}

/**
 * Runs the tool until its new code has answered.
 * @param {Page} page
 */
export const answersAnew = (page) => expect.poll(() => run(page)).toBe('Removed a.txt')

/**
 * Edits the tool, as a developer does in an editor.
 * @param {string} file of the worker
 * @returns {Promise<() => Promise<void>>} undoes it
 */
export async function edit(file) {
  const code = await readFile(file, 'utf8')
  const edited = code.replace("'Deleted'", "'Removed'")
  if (edited === code) throw new Error(`${file} has no 'Deleted'`)
  // In one step: a bundler that looks in between would build an empty file.
  const write = async (/** @type {string} */ text) => {
    await writeFile(`${file}~`, text)
    await rename(`${file}~`, file)
  }
  await write(edited)
  return () => write(code)
}

/**
 * Starts a task, reloads and closes its tab while its question is open, answers in another tab, and runs the tool there.
 * @param {import('@playwright/test').BrowserContext} context
 * @param {string} url
 * @returns {Promise<Page>} the other tab
 */
export async function drive(context, url) {
  /** @type {string[]} */
  const problems = []
  context.on('weberror', (error) => problems.push(error.error().message))
  context.on('console', (line) => line.type() === 'error' && problems.push(line.text()))
  const first = await context.newPage()
  await first.goto(url)
  await first.getByRole('button', { name: 'Delete a.txt' }).click()
  await expect(first.getByText('Delete a.txt?')).toBeVisible()
  await first.reload()
  await expect(first.getByText('Delete a.txt?')).toBeVisible()
  const second = await context.newPage()
  await second.goto(url)
  await first.close()
  await expect(second.getByText('Delete a.txt?')).toBeVisible()
  await second.getByRole('button', { name: 'No' }).click()
  await expect(second.getByText('Delete a.txt?')).toBeHidden()
  expect(await run(second)).toBe('Deleted a.txt')
  expect(problems, 'errors on the console').toEqual([])
  return second
}

/**
 * Opens the devtools, which the page loads only now, finds the task in them, and closes them.
 * @param {Page} page that `drive` gave
 */
export async function opensDevtools(page) {
  const panel = page.locator('intab-devtools')
  expect(await page.evaluate(() => customElements.get('intab-devtools') === undefined)).toBe(true)
  await page.getByRole('button', { name: 'Devtools' }).click()
  await expect(panel.getByText('confirm_delete').first()).toBeVisible()
  await page.getByRole('button', { name: 'Devtools' }).click()
  await expect(panel).toHaveCount(0)
}
