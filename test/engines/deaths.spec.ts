// How long a tab waits for its next worker: the figures are on the console, docs/browsers.md has those of one machine.
import { expect, figures, type Tab, test } from './fixtures.js'

const deaths = Number(process.env['INTAB_DEATHS'] ?? 3)

/** Milliseconds from the death of the worker to the next answer, again and again. */
async function die(tab: Tab): Promise<number[]> {
  await tab.run((times) => app.dieOften(times), deaths)
  // Where no answer comes, this says how far the tab got.
  await expect.poll(() => tab.run(() => app.dying()), { timeout: deaths * 40_000 }).toEqual([])
  return tab.run(() => app.deaths)
}

test('a tab has its next worker again and again, visible and hidden', async ({ open, target }) => {
  // These only end what hangs.
  test.setTimeout(deaths * 100_000)
  const tab = await open()
  const first = await tab.run(() => document.visibilityState)
  const visible = await die(tab)
  const front = await open()
  expect(await tab.run(() => document.visibilityState)).toBe('hidden')
  const hidden = await die(tab)
  await front.close()
  const errors = await tab.run(() => app.errors)
  console.log(`${target}: ${deaths} deaths, ${first} ${figures(visible)}; hidden ${figures(hidden)}`, ...errors)
})

test('a hidden tab whose timers never fire has its next worker', async ({ open }) => {
  const tab = await open()
  await open()
  expect(await tab.run(() => document.visibilityState)).toBe('hidden')
  const workers = await tab.run(async () => {
    // As in a tab that is hidden for long, whose timers fire once a minute.
    globalThis.setTimeout = (() => 0) as unknown as typeof setTimeout
    const met = [app.worker()]
    for (let death = 0; death < 3; death++) {
      await app.die()
      met.push(app.worker())
    }
    return met
  })
  expect(new Set(workers).size).toBe(4)
})
