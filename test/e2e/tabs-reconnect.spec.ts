// The worker dies under its tabs, in every way that it can; they go on.

import type { Page } from './fixtures.js'
import { expect, test } from './fixtures.js'
import { expectOnce, moments, begin } from './leaving.js'
import { connected, tabsPage } from './tabs.js'

const reconnected = (page: Page): Promise<void> =>
  expect.poll(() => page.evaluate(() => tab.states.join(' '))).toMatch(/^connected reconnecting connected$/)

const generation = (page: Page): Promise<string | undefined> => page.evaluate(() => tab.transport.worker)

const deaths = {
  'is terminated': async (_page: Page, kill: () => Promise<void>) => kill(),
  'closes itself': async (page: Page, _kill: () => Promise<void>) => {
    await page.evaluate(() => {
      tab.call('close_worker').catch(() => undefined)
    })
  }
}

for (const [name, die] of Object.entries(deaths)) {
  test.describe(`F58 a worker that ${name}`, () => {
    for (const moment of moments) {
      test(`while a tab ${moment.name}: the tab's own await goes on, on the next worker`, async ({
        openTab,
        killWorker
      }) => {
        const page = await openTab(tabsPage())
        await connected(page)
        await begin(page, moment)
        const before = await generation(page)
        const asked = await page.evaluate(() => tab.asked.map(({ id }) => id))

        await page.evaluate((last) => tab.kept.last?.(last), moment.last)
        await die(page, () => killWorker('tabs.worker'))
        await reconnected(page)

        expect(await generation(page)).not.toBe(before)
        if (moment.last === 'call') await expect.poll(() => page.evaluate(() => tab.asked.length)).toBe(1)
        await page.evaluate(() => tab.answer('by the next'))
        const result = await page.evaluate(() => tab.kept.result)
        expect(moment.results).toContain(result)
        if (asked.length > 0) expect(await page.evaluate(() => tab.asked.map(({ id }) => id))).toEqual(asked)
        await expectOnce(page, result)
      })
    }
  })
}

test('F31 a plain tool that was running may have run: its call is answered with that, at once', async ({
  openTab,
  killWorker
}) => {
  const page = await openTab(tabsPage())
  await connected(page)
  const failed = page.evaluate(() =>
    tab.call('never').catch((error: { code: number; data: unknown }) => ({ ...error }))
  )
  await page.evaluate(() => tab.client.ping())
  await killWorker('tabs.worker')
  expect(await failed).toMatchObject({ code: -31030, data: { code: 'may_have_run' } })
})

test('an open request of the dead worker is cancelled at the client, and an answer to it reaches nobody', async ({
  openTab,
  killWorker
}) => {
  const page = await openTab(tabsPage())
  await connected(page)
  const ask = (): Promise<void> =>
    page.evaluate(() => {
      tab.call('ask_plainly').then(
        (text) => tab.logged.push(text),
        (error: Error) => tab.errors.push(error.message)
      )
    })
  const ids = (): Promise<string[]> => page.evaluate(() => tab.asked.map(({ id }) => id))
  await ask()
  await expect.poll(async () => (await ids()).length).toBe(1)
  const [first] = await ids()
  await killWorker('tabs.worker')
  await expect.poll(() => page.evaluate(() => tab.asked[0]?.state)).toBe('withdrawn')

  await ask()
  await expect.poll(async () => (await ids()).length).toBe(2)
  const [, second] = await ids()
  expect(first).toMatch(/^s:.+:\d+$/)
  expect(second).toMatch(/^s:.+:\d+$/)
  expect(second).not.toBe(first)
  await page.evaluate(() => tab.answer('now'))
  await expect.poll(() => page.evaluate(() => tab.logged)).toEqual(['accept'])
})

test('the log level that the tab set holds in the next worker', async ({ openTab, killWorker }) => {
  const page = await openTab(tabsPage())
  await connected(page)
  await page.evaluate(() => tab.client.setLoggingLevel('error'))
  await killWorker('tabs.worker')
  await reconnected(page)
  await page.evaluate(() => tab.call('log'))
  await expect.poll(() => page.evaluate(() => tab.logged)).toEqual(['error'])
})

test('a tool that cannot resume fails with the reason, and whoever waits for it is told', async ({
  openTab,
  killWorker
}) => {
  const page = await openTab(tabsPage())
  await connected(page)
  await page.evaluate(async () => {
    const { taskId } = await tab.intab.runTask(tab.client, { name: 'endless' })
    tab.kept.result = tab.follow(taskId)
  })
  await killWorker('tabs.worker')
  expect(await page.evaluate(() => tab.kept.result)).toContain('The worker that ran this task stopped')
})

test('the worker dies again and again, and the one await goes on to its end', async ({
  openTab,
  killWorker,
  workers
}) => {
  const page = await openTab(tabsPage())
  await connected(page)
  const [, holds] = moments
  if (holds) await begin(page, holds)
  for (let death = 1; death <= 7; death++) {
    await expect.poll(() => workers.urls()).toHaveLength(1)
    await expect.poll(() => page.evaluate(() => tab.transport.state)).toBe('connected')
    const before = await generation(page)
    await killWorker('tabs.worker')
    await expect.poll(() => generation(page)).not.toBe(before)
  }
  await expect.poll(() => page.evaluate(() => tab.transport.state)).toBe('connected')
  await page.evaluate(() => tab.answer('at last'))
  expect(await page.evaluate(() => tab.kept.result)).toBe('q at last')
  expect(await page.evaluate(() => tab.asked.length)).toBe(1)
  await expectOnce(page, 'q at last')
})
