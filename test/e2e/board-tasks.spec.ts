import { dialog, open, run, task, tasks, tool } from './board.js'
import type { Page } from './fixtures.js'
import { expect, test } from './fixtures.js'
import { Profile } from './profile.js'

const outcome = (page: Page) => page.getByRole('region', { name: 'Outcome' })

test('every tab shows all tasks of the origin, newest first, as they change', async ({ openTab }) => {
  const a = await openTab()
  const b = await openTab()
  await run(a, 'Count down', { Seconds: '3600' })
  await run(a, 'Fail on purpose')
  for (const page of [a, b]) {
    await expect(tasks(page)).toHaveCount(2)
    await expect(tasks(page).first()).toContainText(/Fail on purpose.*The handler threw this.*failed/s)
    await expect(tasks(page).last()).toContainText(/Count down.*s left.*working.*7 d left.*worker \w{4}/s)
    await expect(tasks(page).last().getByRole('progressbar')).toBeVisible()
  }
  await b.bringToFront()
  await task(b, 'Count down').getByRole('button', { name: 'Cancel' }).click()
  await expect(task(a, 'Count down')).toContainText('cancelled')
})

test('the list shows one status at a time, and keeps to it while tasks change', async ({ openTab }) => {
  const page = await openTab()
  await run(page, 'Fail on purpose')
  await run(page, 'Count down', { Seconds: '3600' })
  const filter = (name: string) => page.getByRole('button', { name, exact: true })
  await filter('Running').click()
  await expect(filter('Running')).toHaveAttribute('aria-pressed', 'true')
  await expect(tasks(page)).toHaveCount(1)
  await expect(tasks(page)).toContainText('Count down')
  await tasks(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(tasks(page)).toHaveCount(0)
  await expect(page.getByText('No task is like that now.')).toBeVisible()
  await filter('Cancelled').click()
  await expect(tasks(page)).toContainText(['Count down'])
  await filter('All').click()
  await expect(tasks(page)).toHaveCount(2)
})

test('older tasks come page by page', async ({ openTab }) => {
  const page = await openTab()
  const card = await tool(page, 'Fail on purpose')
  const button = card.getByRole('button', { name: 'Run as a task' })
  for (let i = 0; i < 52; i++) {
    await button.evaluate((element) => (element as HTMLButtonElement).click())
    await expect(button).toBeEnabled()
  }
  await expect(tasks(page).first()).toContainText('failed')
  await page.reload()
  await expect(tasks(page)).toHaveCount(50)
  await page.getByRole('button', { name: 'Show older tasks' }).click()
  await expect(tasks(page)).toHaveCount(52)
  await expect(page.getByRole('button', { name: 'Show older tasks' })).toBeHidden()
})

test('an opened task tells its request, what happened and what it came to, and lives on while it is looked at', async ({
  openTab,
  context
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const page = await openTab()
  await run(page, 'Delete a note', { File: 'old.txt' })
  await dialog(page).getByRole('button', { name: 'Later' }).click()
  const id = await open(page, 'Delete a note')
  await expect(page.getByRole('article')).toContainText('needs an answer')
  await expect(page.getByRole('list', { name: 'Timeline' })).toContainText('Asked “Delete old.txt?”')
  await expect(page.locator('#task-page')).toContainText('"filename": "old.txt"')

  await page.getByRole('article').getByRole('button', { name: 'Answer here' }).click()
  await dialog(page).getByRole('button', { name: 'Decline' }).click()
  await expect(outcome(page)).toContainText('Kept old.txt')
  await expect(page.getByRole('list', { name: 'Timeline' })).toContainText(
    /Created.*Asked.*answered: decline.*Ended: completed/s
  )
  await page.getByRole('button', { name: 'Copy id' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(id)
})

test('a task is run again with what it was called with, and deleted in every tab', async ({ openTab }) => {
  const page = await openTab()
  const other = await openTab()
  await run(page, 'Fail on purpose')
  const first = await open(page, 'Fail on purpose')
  await other.evaluate((hash) => (location.hash = hash), `#/task/${first}`)
  await expect(other.getByRole('article')).toContainText('failed')

  await page.getByRole('button', { name: 'Run again' }).click()
  await expect.poll(() => new URL(page.url()).hash).not.toBe(`#/task/${first}`)
  await expect(outcome(page)).toContainText('The handler threw this')
  await page.evaluate((hash) => (location.hash = hash), `#/task/${first}`)
  await expect(page.locator('#task-page')).toContainText(first)
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(tasks(page)).toHaveCount(1)
  await expect(other.locator('#task-page')).toContainText('This task was deleted.')
})

test('a link to a task that is not there says so', async ({ openTab }) => {
  const page = await openTab('/#/task/00000000-0000-4000-8000-000000000000')
  await expect(page.locator('#task-page')).toContainText('There is no such task')
})

test('a link to a task works after the browser was killed and opened again', async ({}, info) => {
  const profile = new Profile(info.outputPath('profile'), info.project.use.baseURL ?? '')
  let page = await (await profile.open()).newPage()
  await page.goto('/')
  await run(page, 'Count down', { Seconds: '1' })
  await expect(task(page, 'Count down')).toContainText('completed')
  await open(page, 'Count down')
  const link = page.url()
  await profile.kill()
  page = await (await profile.open()).newPage()
  await page.goto(link)
  await expect(outcome(page)).toContainText('Woke in run 1')
  await profile.close()
})
