import { expect, test } from './fixtures.js'

for (const kind of ['finish', 'adopt', 'answer', 'claim'] as const) {
  test(`F54 a page and a worker that ${kind} the same row at once have exactly one winner, 500 times`, async ({
    openTab
  }) => {
    const page = await openTab('/test/e2e/pages/rows.html')
    const winners = await page.evaluate((race) => globalThis.race(race, 500), kind)
    expect(winners).toEqual(Array.from({ length: 500 }, () => 1))
  })
}
