import type { Page } from './fixtures.js'
import { expect, test } from './fixtures.js'

const tool = (page: Page, name: string) => page.getByRole('form', { name })
const tasks = (page: Page) => page.getByRole('list', { name: 'Tasks' }).getByRole('listitem')

async function startDelete(page: Page, filename: string): Promise<void> {
  // A tab behind another draws one frame a second, and a click waits for two.
  await page.bringToFront()
  const form = tool(page, 'Delete a file')
  await form.getByLabel('filename').fill(filename)
  await form.getByRole('button', { name: 'Run as a task' }).click()
}

test('confirm_delete runs as a task: the page asks its question and shows its result', async ({ openTab }) => {
  const page = await openTab()
  await expect(page.getByText('connected', { exact: true })).toBeVisible()
  await startDelete(page, 'notes.txt')

  const question = page.getByRole('dialog', { name: 'Delete notes.txt?' })
  await expect(tasks(page)).toContainText(['needs an answer'])
  await question.getByLabel('confirm').check()
  await question.getByRole('button', { name: 'Submit' }).click()

  await expect(question).toBeHidden()
  await expect(tasks(page)).toContainText(['completed'])
  await expect(tasks(page)).toContainText(['Deleted notes.txt'])
})

test('a declined question is an answer, too', async ({ openTab }) => {
  const page = await openTab()
  await startDelete(page, 'notes.txt')
  await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click()
  await expect(tasks(page)).toContainText(['Kept'])
})

test('for a sampling request the person plays the model', async ({ openTab }) => {
  const page = await openTab()
  const form = tool(page, 'Write a haiku')
  await form.getByLabel('topic').fill('tabs')
  await form.getByRole('button', { name: 'Run as a task' }).click()

  const dialog = page.getByRole('dialog', { name: 'You are the model' })
  await expect(dialog).toContainText('Write a haiku about tabs.')
  await dialog
    .getByLabel('What the model says')
    .fill('One tab, then two tabs\n<b>an old pond</b>\nthe sound of closing')
  await dialog.getByRole('button', { name: 'Reply' }).click()
  await expect(tasks(page)).toContainText(['<b>an old pond</b>'])
})

test('a form without what the tool requires is not sent', async ({ openTab }) => {
  const page = await openTab()
  const form = tool(page, 'Delete a file')
  await form.getByRole('button', { name: 'Run as a task' }).click()
  await expect(form.getByLabel('filename')).toBeFocused()
  await expect(tasks(page)).toHaveCount(0)
})

test('two tabs show the same tasks', async ({ openTab }) => {
  const a = await openTab()
  const b = await openTab()
  await startDelete(a, 'shared.txt')
  await expect(tasks(b)).toContainText(['needs an answer'])
  await a.getByRole('dialog').getByRole('button', { name: 'Submit' }).click()

  await expect(tasks(a)).toContainText(['completed'])
  await expect(tasks(b)).toContainText(['completed'])
  await b.bringToFront()
  await tasks(b).getByRole('button', { name: 'Show result' }).click()
  await expect(tasks(b)).toContainText(['Kept'])
})

test('a question moves to the tab that asks for it', async ({ openTab }) => {
  const a = await openTab()
  const b = await openTab()
  await startDelete(a, 'moved.txt')
  await expect(a.getByRole('dialog')).toBeVisible()
  await b.bringToFront()
  await tasks(b).getByRole('button', { name: 'Ask me here' }).click()

  await expect(b.getByRole('dialog', { name: 'Delete moved.txt?' })).toBeVisible()
  await expect(a.getByRole('dialog')).toBeHidden()
  await b.getByRole('dialog').getByRole('button', { name: 'Submit' }).click()
  await expect(tasks(a)).toContainText(['Kept'])
})

test('a reload keeps the task, its question and its place in the list', async ({ openTab }) => {
  const page = await openTab()
  await startDelete(page, 'first.txt')
  await page.getByRole('dialog').getByRole('button', { name: 'Submit' }).click()
  await startDelete(page, 'second.txt')
  await expect(page.getByRole('dialog', { name: 'Delete second.txt?' })).toBeVisible()
  const keeper = await openTab()
  await page.bringToFront()
  await page.reload()

  await expect(page.getByRole('dialog', { name: 'Delete second.txt?' })).toBeVisible()
  await expect(keeper.getByRole('dialog')).toBeHidden()
  await page.getByRole('dialog').getByRole('button', { name: 'Submit' }).click()
  await expect(tasks(page)).toContainText(['completed', 'completed'])
})

test('a cancelled task takes its question away', async ({ openTab }) => {
  const page = await openTab()
  const other = await openTab()
  await startDelete(page, 'never.txt')
  await expect(page.getByRole('dialog')).toBeVisible()
  await other.bringToFront()
  await tasks(other).getByRole('button', { name: 'Cancel' }).click()

  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(tasks(page)).toContainText(['cancelled'])
  await expect(tasks(page)).toContainText(['Task was cancelled'])
})
