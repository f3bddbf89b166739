// The board's agent on a model that the person loads: Transformers.js with models that tiny-model.ts makes.
import { faults } from './axe.js'
import { connected, task } from './board.js'
import type { Page } from './fixtures.js'
import { expect, test } from './fixtures.js'

const pane = (page: Page) => page.locator('#agent')
const said = (page: Page) => page.getByRole('list', { name: 'Conversation with the agent' })

async function say(page: Page, text: string): Promise<void> {
  await pane(page).getByLabel('Message').fill(text)
  await pane(page).getByRole('button', { name: 'Send' }).click()
}

async function load(page: Page, name: string): Promise<void> {
  await page.bringToFront()
  await expect(connected(page)).toBeVisible()
  await pane(page).locator('summary').first().click()
  await pane(page).getByRole('button', { name: 'Load a model' }).click()
  await pane(page).getByLabel('Model to load').fill(name)
  await pane(page).getByRole('button', { name: 'Load', exact: true }).click()
}

/** Whether anything that is loaded for a model has come. */
const cameFor = (page: Page) =>
  page.evaluate(() =>
    performance.getEntriesByType('resource').some(({ name }) => /\/(transformers|ort-)[^/]*$/.test(name))
  )

test('a model that the person loads names the calls and reads their results, under the policy of its worker', async ({
  openTab,
  context,
  cspReports
}, info) => {
  await context.addInitScript(() => Reflect.deleteProperty(globalThis, 'LanguageModel'))
  const page = await openTab()
  await page.setViewportSize({ width: 1280, height: 900 })
  await load(page, '/tiny-models/scripted')
  await expect(pane(page).getByLabel('Model', { exact: true })).toHaveValue(/scripted, by Transformers.js/)
  expect(await cameFor(page)).toBe(true)
  await say(page, 'Wait a second')
  await expect(said(page)).toContainText('It is over')
  await expect(said(page)).toContainText('Woke in run 1')
  await expect(task(page, 'Count down')).toContainText('completed')
  await page.screenshot({ path: info.outputPath('model-wide.png') })
  expect(await cspReports()).toEqual([])
})

test('a reply is stopped, and the next one that is neither an answer nor a call is shown as it is', async ({
  openTab,
  context
}) => {
  await context.addInitScript(() => Reflect.deleteProperty(globalThis, 'LanguageModel'))
  const page = await openTab()
  // Once, as soon as the model was asked: nobody clicks before a short reply is over.
  await page.evaluate(() => {
    const { postMessage } = Worker.prototype
    Worker.prototype.postMessage = function (this: Worker, message: { turns?: unknown }) {
      postMessage.call(this, message)
      if (message.turns === undefined) return
      Worker.prototype.postMessage = postMessage
      for (const button of document.querySelectorAll<HTMLElement>('#agent button')) {
        if (button.textContent === 'Stop') button.click()
      }
    }
  })
  await load(page, '/tiny-models/noise')
  await expect(pane(page).getByLabel('Model', { exact: true })).toHaveValue(/noise/)
  await say(page, 'Hello')
  await expect(said(page).getByRole('listitem').nth(1)).toHaveText('Stopped.')
  await say(page, 'Hello again')
  const reply = said(page).getByRole('listitem').nth(3)
  await expect(reply).toHaveText(/^.{20,}$/)
  await expect(pane(page).getByRole('button', { name: 'Send' })).toBeEnabled()
  expect(await faults(page)).toEqual([])
})

test('nothing of a model is loaded before the person asks for one, and one that is not there says so', async ({
  openTab,
  context
}, info) => {
  await context.addInitScript(() => Reflect.deleteProperty(globalThis, 'LanguageModel'))
  const page = await openTab()
  await expect(connected(page)).toBeVisible()
  await page.evaluate(() => navigator.serviceWorker.ready)
  const kept = await page.evaluate(async () => {
    const names = await caches.keys()
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return requests.flat().map(({ url }) => url)
  })
  expect(kept.length).toBeGreaterThan(5)
  expect(kept.filter((url) => /\/(transformers|ort-)/.test(url))).toEqual([])
  await pane(page).locator('summary').first().click()
  await pane(page).getByRole('button', { name: 'Load a model' }).click()
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.screenshot({ path: info.outputPath('load-model.png') })
  expect(await faults(page)).toEqual([])
  expect(await cameFor(page)).toBe(false)
  await pane(page).getByLabel('Model to load').fill('/tiny-models/nowhere')
  await pane(page).getByRole('button', { name: 'Load', exact: true }).click()
  await expect(pane(page)).toContainText('/tiny-models/nowhere was not loaded')
  await say(page, 'What is the weather?')
  await expect(said(page)).toContainText('I am a script')
})
