// Without SharedWorker every tab has a server of its own, and what they promise together is the same.

import type { Page } from './fixtures.js'
import { expect, test } from './fixtures.js'
import * as leaving from './leaving.js'
import { type Host, connected, locksOf, tabsPage } from './tabs.js'

const { begin, expectOnce, goOn } = leaving
/** The rest is the page's own business, whatever its server runs in. */
const some = leaving.moments.filter(({ begin: what, last }) => what !== undefined && last === undefined)

test.use({ ignoreDefaultArgs: ['--disable-back-forward-cache'] })
test.beforeEach(async ({ context }) => {
  await context.addInitScript(() => Reflect.deleteProperty(globalThis, 'SharedWorker'))
})

const kinds = { worker: 'worker', page: 'page' } as const

for (const host of ['worker', 'page'] satisfies Host[]) {
  test.describe(`F69 a server in the ${host}`, () => {
    const query = host === 'worker' ? { host: 'shared', fallback: 'worker' } : { host }

    test('is what the tabs are told, and has executors of its own in each', async ({ openTab }) => {
      const first = await openTab(tabsPage(query))
      const second = await openTab(tabsPage(query))
      for (const page of [first, second]) await connected(page)
      expect(await first.evaluate(() => tab.transport.kind)).toBe(kinds[host])
      const executors = (await locksOf(first)).filter((name) => name.startsWith('intab:tabs:executor:'))
      expect(new Set(executors).size).toBe(2)
    })

    test('sees the tasks of the others, is woken by them, cancels theirs and answers their questions', async ({
      openTab
    }) => {
      const first = await openTab(tabsPage(query))
      const second = await openTab(tabsPage(query))
      for (const page of [first, second]) await connected(page)
      const start = (message: string): Promise<string> =>
        first.evaluate(async (text) => {
          const args = { name: 'ask', arguments: { message: text } }
          return (await tab.intab.runTask(tab.client, args)).taskId
        }, message)

      const asking = await start('q')
      const results = [first, second].map((page) => page.evaluate((id) => tab.follow(id), asking))
      await expect.poll(() => openQuestions(first, second)).toBe(1)
      for (const page of [first, second]) await page.evaluate(() => tab.answer('yes'))
      expect(await Promise.all(results)).toEqual(['q yes', 'q yes'])

      const doomed = await start('never answered')
      const waiting = first.evaluate((id) => tab.follow(id), doomed)
      await second.evaluate(async (id) => {
        const run = await tab.intab.followTask(tab.client, id)
        await run.cancel()
      }, doomed)
      expect(await waiting).toBe('Task was cancelled')
    })

    for (const way of [leaving.reload, leaving.crash]) {
      for (const moment of some) {
        test(`loses nothing and does nothing twice when its tab ${way.name} while it ${moment.name}`, async ({
          openTab
        }) => {
          const second = await openTab(tabsPage(query))
          await connected(second)
          const first = await openTab(tabsPage(query))
          await connected(first)
          await begin(first, moment)

          await way.leave(first, moment.last)

          const [result, ...others] = await goOn(way.next === 'itself' ? first : second)
          expect(others).toEqual([])
          if (result !== undefined) expect(moment.results).toContain(result)
          else expect(moment.last).toBe('call')
          await expectOnce(second, result)
        })
      }
    }

    for (const moment of some) {
      test(`does not keep its tasks while its tab ${leaving.cachedLong.name}, and it ${moment.name}`, async ({
        openTab
      }) => {
        const second = await openTab(tabsPage(query))
        await connected(second)
        const first = await openTab(tabsPage(query))
        await connected(first)
        await begin(first, moment)

        await leaving.cachedLong.leave(first, moment.last)
        const [result] = await goOn(second)
        await leaving.cachedLong.back?.(first)
        await goOn(first)

        const own = await first.evaluate(() => tab.kept.result)
        expect(moment.results).toContain(own)
        if (result !== undefined) expect(own).toBe(result)
        await expectOnce(second, own)
      })
    }
  })
}

test('F69 without SharedWorker and without a fallback the tab is told what to give', async ({ openTab }) => {
  const page = await openTab(tabsPage())
  const failure = await page.evaluate(() => tab.connected)
  expect(failure?.code).toBe('worker_failed')
  expect(failure?.message).toContain('fallback')
})

async function openQuestions(...pages: Page[]): Promise<number> {
  const counts = pages.map((page) => page.evaluate(() => tab.asked.filter(({ state }) => state === 'open').length))
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}
