// Two writers of one row, over IndexedDB on SQLite: `npm test` has the same in Chromium, 500 times.
import { expect, test } from './fixtures.js'

for (const kind of ['finish', 'adopt', 'answer', 'claim'] as const) {
  test(`a page and a worker that ${kind} the same row at once have exactly one winner, 50 times`, async ({
    engine,
    site
  }) => {
    const tab = await engine.open(`${site.origin}/test/e2e/pages/rows.html`)
    expect(await tab.run((race) => globalThis.race(race, 50), kind)).toEqual(Array.from({ length: 50 }, () => 1))
    await tab.close()
  })
}
