// The back/forward cache: a page that waits there is gone for all others, and goes on when it is back.

import { expect, test } from './fixtures.js'
import { begin, cached, cachedLong, expectOnce, goOn, moments } from './leaving.js'
import { connected, tabsPage } from './tabs.js'

test.use({ ignoreDefaultArgs: ['--disable-back-forward-cache'] })

for (const way of [cached, cachedLong]) {
  test.describe(`F62 a tab that ${way.name}`, () => {
    for (const moment of moments) {
      test(`while it ${moment.name}: what it waited for goes on`, async ({ openTab }) => {
        const second = await openTab(tabsPage())
        await connected(second)
        const first = await openTab(tabsPage())
        await connected(first)
        await begin(first, moment)

        await way.leave(first, moment.last)
        const [result] = way.next === 'another' ? await goOn(second) : []
        await way.back?.(first)
        await goOn(first)

        const own = await first.evaluate(() => tab.kept.result)
        expect(moment.results).toContain(own)
        if (result !== undefined) expect(own).toBe(result)
        await expectOnce(second, own)
        const asked = await first.evaluate(() => tab.asked)
        expect(new Set(asked.map(({ id }) => id)).size).toBe(asked.length === 0 ? 0 : 1)
        expect(asked.map(({ state }) => state)).not.toContain('open')
      })
    }
  })
}
