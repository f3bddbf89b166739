// A page in a dialog hangs: it takes nothing from the worker until the dialog is closed, and no event says so.

import type { Dialog, Page } from '@playwright/test'
import { expect, test } from './fixtures.js'
import { connected, tabsPage } from './tabs.js'

/** A tab whose questions are `window.confirm`, in front of its first question; the dialog stays open. */
async function inDialog(page: Page): Promise<{ dialog: Dialog; result: Promise<string> }> {
  await connected(page)
  const opened = new Promise<Dialog>((resolve) => page.once('dialog', resolve))
  await page.evaluate(() => {
    tab.asked.push = (asked) => {
      // Whoever waits for the answer gets it as soon as the handler has returned.
      tab.automatic = window.confirm(asked.message) ? 'confirmed' : 'denied'
      return 0
    }
  })
  const result = page.evaluate(() => tab.call('ask', { message: 'Go on?' }))
  return { dialog: await opened, result }
}

/** Waits for the task as well, so that the question can be its next; the text of the result. */
const alsoWaits = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const { tasks } = await tab.intab.listTasks(tab.client)
    return tab.follow(tasks[0]?.taskId ?? '')
  })

/** Some seconds of the worker's own go by before others are asked. */
const isAsked = (page: Page, state: string) =>
  expect.poll(() => page.evaluate(() => tab.asked.map(({ state }) => state)), { timeout: 60_000 }).toEqual([state])

test('R23 the question of a page in a dialog is asked in another tab as well, and the answer there counts', async ({
  openTab
}) => {
  const [hung, other] = [await openTab(tabsPage()), await openTab(tabsPage())]
  await connected(other)
  const { dialog, result } = await inDialog(hung)
  const there = alsoWaits(other)
  await isAsked(other, 'open')
  await other.evaluate(() => tab.answer('said by the other'))
  expect(await there).toBe('Go on? said by the other')
  await dialog.accept()
  expect(await result).toBe('Go on? said by the other')
})

test('R23 the answer given in the dialog counts when it is the first, and the other tab is told', async ({
  openTab
}) => {
  const [hung, other] = [await openTab(tabsPage()), await openTab(tabsPage())]
  await connected(other)
  const { dialog, result } = await inDialog(hung)
  const there = alsoWaits(other)
  await isAsked(other, 'open')
  await dialog.accept()
  expect(await result).toBe('Go on? confirmed')
  expect(await there).toBe('Go on? confirmed')
  await isAsked(other, 'withdrawn')
})
