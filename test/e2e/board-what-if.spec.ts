import { connected, dialog, run, task, whatIf } from './board.js'
import type { Page } from './fixtures.js'
import { expect, test } from './fixtures.js'

const press = async (page: Page, name: string): Promise<void> =>
  (await whatIf(page)).getByRole('button', { name, exact: true }).click()

test('when the worker ends itself every tab finds the next, and what can resume goes on', async ({ openTab }) => {
  const a = await openTab()
  const b = await openTab()
  await run(a, 'Count down', { Seconds: '3600' })
  await run(a, 'Delete a note')
  await dialog(a).getByRole('button', { name: 'Later' }).click()
  const before = await connected(b).textContent()
  expect(await connected(a).textContent()).toBe(before)
  await press(a, 'Kill the worker')
  const panel = await whatIf(a)
  await expect(panel).toContainText(/Worker \w{4} is gone; \w{4} serves after \d+ ms/)
  await expect(panel).toContainText('2 of 2 tasks still there.')
  await expect(panel).toContainText('2 tasks went on in another worker.')
  await expect(panel).toContainText('1 of 1 question still open.')
  await expect(connected(b)).not.toHaveText(before ?? '')
  await expect(task(b, 'Count down')).toContainText('working')
})

test('a tab that drops out comes back to all that went on meanwhile', async ({ openTab }) => {
  const a = await openTab()
  const b = await openTab()
  await run(a, 'Count down', { Seconds: '3600' })
  await run(a, 'Delete a note')
  await dialog(a).getByRole('button', { name: 'Later' }).click()
  await press(a, 'Drop or restore the connection')
  await expect(a.locator('#connection')).toHaveText('closed')
  await expect(dialog(b, 'Delete notes.txt?')).toBeVisible()
  await dialog(b).getByRole('button', { name: 'Decline' }).click()
  await run(b, 'Fail on purpose')
  await expect(task(b, 'Fail on purpose')).toContainText('failed')
  await expect(task(a, 'Fail on purpose')).toBeHidden()
  await press(a, 'Drop or restore the connection')
  await expect(connected(a)).toBeVisible()
  await expect(await whatIf(a)).toContainText('1 task runs on as if nothing had happened.')
  await expect(task(a, 'Fail on purpose')).toContainText('failed')
  await expect(task(a, 'Delete a note')).toContainText('completed')
  await expect(task(a, 'Count down')).toContainText('working')
  await expect(a.locator('#alerts > *')).toHaveCount(0)
})

test('a second worker script serves the same tasks, and takes those of the first over', async ({
  openTab,
  workers,
  killWorker
}) => {
  const page = await openTab()
  await run(page, 'Profile a table', { Pause: '3000' })
  await press(page, 'Start a second worker')
  await expect(await whatIf(page)).toContainText(/It sees 1 of the 1 tasks that the first one sees/)
  await expect(task(page, 'Count down')).toContainText(/worker \w{4}/)
  await expect.poll(() => workers.urls()).toHaveLength(2)
  const runs = async (title: string): Promise<string> =>
    /worker (\w{4})/.exec((await task(page, title).textContent()) ?? '')?.[1] ?? ''
  expect(await runs('Profile a table')).not.toBe(await runs('Count down'))
  const second = await runs('Count down')
  await killWorker('mcp.worker')
  await expect.poll(() => runs('Profile a table')).not.toBe('')
  await expect(task(page, 'Profile a table')).toContainText('in run 2')
  expect([await runs('Count down')]).toEqual([second])
})

test('when the disk is full a new task is refused or finds room, and nothing that was there is lost', async ({
  openTab
}) => {
  const page = await openTab('/test/e2e/pages/road.html')
  const cdp = await page.context().newCDPSession(page)
  const origin = new URL(page.url()).origin
  // Before the first write: the browser remembers for a while how much room it found.
  await cdp.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 20_000_000 })
  await page.goto('/')
  await run(page, 'Count down', { Seconds: '3600' })
  await expect(task(page, 'Count down')).toContainText('working')
  page.once('dialog', (confirm) => void confirm.accept())
  await press(page, 'Fill or free the storage')
  const panel = await whatIf(page)
  await expect(panel).toContainText(/Full after [\d.]+ MB/)
  // A small task may still find room; else the page says why not.
  await run(page, 'Fail on purpose')
  const refused = page.locator('#alerts').getByText(/full|quota/i)
  await expect(task(page, 'Fail on purpose').or(refused).first()).toBeVisible()
  await press(page, 'Fill or free the storage')
  await expect(panel).toContainText('The space is free again.')
  await expect(panel).toContainText('1 of 1 task still there.')
  await run(page, 'Write a haiku', { Topic: 'rain' })
  await expect(task(page, 'Write a haiku')).toBeVisible()
})

test('nothing is written to the disk before the person agreed', async ({ openTab }) => {
  const page = await openTab()
  await expect(connected(page)).toBeVisible()
  page.once('dialog', (confirm) => void confirm.dismiss())
  await press(page, 'Fill or free the storage')
  await expect(await whatIf(page)).toContainText('Nothing was written.')
})

test('use of storage and counts of rows are shown, and kept up to date', async ({ openTab }) => {
  const page = await openTab()
  const panel = await whatIf(page)
  await panel.getByRole('tab', { name: 'Worker' }).click()
  await expect(panel).toContainText(/Storage\s*[\d.]+ \w+ of [\d.]+ \w+/)
  await expect(panel).toContainText(/tasks\s*0/)
  await run(page, 'Fail on purpose')
  await expect(panel).toContainText(/tasks\s*1/)
})

test('without a network the page reloads from its cache, and its tasks are there', async ({ openTab }) => {
  const page = await openTab()
  await page.evaluate(() => navigator.serviceWorker.ready)
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
  await run(page, 'Fail on purpose')
  await press(page, 'Stop or start listening to the network')
  await expect(await whatIf(page)).toContainText('The server is not reached; the page itself is there.')
  await page.reload()
  await expect(task(page, 'Fail on purpose')).toContainText('failed')
  await run(page, 'Profile a table', { Pause: '0' })
  await expect(dialog(page, 'What is this column?')).toBeVisible()
})
