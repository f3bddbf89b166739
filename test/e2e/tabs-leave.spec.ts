// MCP's tasks outlive the tab that started them, however it leaves.

import { expect, test } from './fixtures.js'
import * as leaving from './leaving.js'
import { connected, tabsPage } from './tabs.js'

const { begin, expectOnce, goOn, moments } = leaving
const ways = [leaving.reload, leaving.reloadAlone, leaving.close, leaving.crash, leaving.crashAlone, leaving.navigate]

for (const way of ways) {
  test.describe(`F56 F59 a tab that ${way.name}`, () => {
    for (const moment of moments) {
      test(`while it ${moment.name}: nothing is lost, and nothing done twice`, async ({ openTab }) => {
        const before = way.second && (await openTab(tabsPage()))
        if (before) await connected(before)
        const first = await openTab(tabsPage())
        await connected(first)
        const after = before ?? (way.next === 'another' ? await openTab(tabsPage()) : first)
        await begin(first, moment)
        const ids = await first.evaluate(() => tab.asked.map(({ id }) => id))

        await way.leave(first, moment.last)

        const next = way.next === 'itself' ? first : after
        const [result, ...others] = await goOn(next)
        expect(others).toEqual([])
        if (result !== undefined) expect(moment.results).toContain(result)
        else expect(moment.last).toBe('call')
        const asked = await next.evaluate(() => tab.asked.map(({ id }) => id))
        if (ids.length > 0) expect(asked).toEqual(result === 'q by the next' ? ids : [])
        await expectOnce(next, result)
      })
    }
  })
}
