// The board's agent: a chat that calls tools, and goes on wherever it is opened.
import { faults } from './axe.js'
import { banner, connected, dialog, task, tasks } from './board.js'
import type { Page } from './fixtures.js'
import { expect, test } from './fixtures.js'

const pane = (page: Page) => page.locator('#agent')
const said = (page: Page) => page.getByRole('list', { name: 'Conversation with the agent' })

const inPlace = (page: Page) => said(page).getByRole('group', { name: 'Delete notes.txt?' })

async function openPane(page: Page): Promise<void> {
  await page.bringToFront()
  await expect(connected(page)).toBeVisible()
  await pane(page).locator('summary').first().click()
  await expect(pane(page).getByLabel('Message')).toBeVisible()
}

async function say(page: Page, text: string): Promise<void> {
  await pane(page).getByLabel('Message').fill(text)
  await pane(page).getByRole('button', { name: 'Send' }).click()
}

const withoutModel = () => Reflect.deleteProperty(globalThis, 'LanguageModel')

test('the agent calls a tool as a task, and is loaded when its pane is opened', async ({ openTab, context }, info) => {
  await context.addInitScript(withoutModel)
  const page = await openTab()
  await expect(connected(page)).toBeVisible()
  const loaded = () =>
    page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => /pane/.test(name)).length)
  const before = await loaded()
  await openPane(page)
  expect(await loaded()).toBeGreaterThan(before)
  await say(page, 'What is the weather?')
  await expect(said(page)).toContainText('I am a script')
  await say(page, 'Count down 1 second')
  await expect(said(page)).toContainText('Done: Woke in run 1')
  await expect(task(page, 'Count down')).toContainText('completed')
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.screenshot({ path: info.outputPath('agent-wide.png') })
  expect(await faults(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.screenshot({ path: info.outputPath('agent-dark.png') })
  expect(await faults(page)).toEqual([])
  await page.setViewportSize({ width: 360, height: 740 })
  await pane(page).scrollIntoViewIfNeeded()
  await page.screenshot({ path: info.outputPath('agent-narrow.png') })
})

test('a tab that closes during a call loses nothing: the next one goes on', async ({ openTab, context }) => {
  await context.addInitScript(withoutModel)
  const closes = await openTab()
  await openPane(closes)
  await say(closes, 'Delete a note')
  await expect(inPlace(closes)).toBeVisible()
  const stays = await openTab()
  await openPane(stays)
  await expect(pane(stays)).toContainText('Open in another tab')
  await closes.close()
  await expect(said(stays)).toContainText('Delete a note')
  // Whoever waits for a task is asked its questions.
  await inPlace(stays).getByRole('button', { name: 'Decline' }).click()
  await expect(said(stays)).toContainText('Done: Kept notes.txt')
  await expect(tasks(stays)).toHaveCount(1)
})

test('a question stands in the conversation, with what was typed, and as a dialog where the conversation is not seen', async ({
  openTab,
  context
}, info) => {
  await context.addInitScript(withoutModel)
  const page = await openTab()
  await page.setViewportSize({ width: 1280, height: 900 })
  await openPane(page)
  await say(page, 'Delete a note')
  await expect(inPlace(page)).toBeVisible()
  await expect(dialog(page)).toHaveCount(0)
  await expect(pane(page).getByRole('button', { name: 'Answer here' })).toBeHidden()
  await expect(banner(page)).toContainText('in this tab')
  expect(await faults(page)).toEqual([])
  await page.screenshot({ path: info.outputPath('question-wide.png') })
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await faults(page)).toEqual([])
  await page.screenshot({ path: info.outputPath('question-dark.png') })
  await page.setViewportSize({ width: 390, height: 844 })
  await pane(page).scrollIntoViewIfNeeded()
  await page.screenshot({ path: info.outputPath('question-narrow.png') })
  await inPlace(page).getByRole('checkbox').check()
  await pane(page).locator('summary').first().click()
  await expect(dialog(page, 'Delete notes.txt?').getByRole('checkbox')).toBeChecked()
  await dialog(page).getByRole('button', { name: 'Later' }).click()
  await pane(page).locator('summary').first().click()
  await banner(page).getByRole('button', { name: 'Answer' }).click()
  await expect(inPlace(page).getByRole('checkbox')).toBeFocused()
  await inPlace(page).getByRole('button', { name: 'Submit' }).click()
  await expect(said(page)).toContainText('Done: There was no notes.txt')
  await expect(banner(page)).toBeHidden()
})

test('a stopped call is cancelled', async ({ openTab, context }) => {
  await context.addInitScript(withoutModel)
  const page = await openTab()
  await openPane(page)
  await say(page, 'Count down 3600 seconds')
  await expect(task(page, 'Count down')).toContainText('working')
  await pane(page).getByRole('button', { name: 'Stop' }).click()
  await expect(said(page)).toContainText('Stopped.')
  await expect(task(page, 'Count down')).toContainText('cancelled')
})

test("the browser's model names the calls, and reads their results", async ({ openTab, context }) => {
  await context.addInitScript(() => {
    const prompt = (turns: { content: string }[]) => {
      const last = turns.at(-1)?.content ?? ''
      const reply = last.startsWith('The tool')
        ? { say: `It said: ${last}` }
        : { call: 'countdown', arguments: { seconds: 1 } }
      return Promise.resolve(JSON.stringify(reply))
    }
    const api = {
      availability: () => Promise.resolve('available'),
      create: () => Promise.resolve({ prompt, destroy: () => undefined })
    }
    Object.defineProperty(globalThis, 'LanguageModel', { value: api, configurable: true })
  })
  const page = await openTab()
  await openPane(page)
  await expect(pane(page).getByLabel('Model', { exact: true })).toContainText("This browser's model")
  await say(page, 'Wait a second')
  await expect(said(page)).toContainText('It said: The tool countdown returned: Woke in run 1')
})
