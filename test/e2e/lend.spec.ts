// Tools that tabs lend, in a browser: a worker that is killed and a tab that closes while a page runs a call.
import type { Page } from './fixtures.js'
import { expect, test } from './fixtures.js'

declare global {
  /** How often this page ran the lent tool. */
  var ran: number
  /** Lets the call that runs return. */
  var finish: () => void
}

const url = '/test/e2e/pages/tabs.html?host=shared'

/** Lends a tool that runs until the test lets it finish. */
const lend = (page: Page, readOnlyHint: boolean) =>
  page.evaluate(async (hint) => {
    await tab.connected
    globalThis.ran = 0
    await tab.lend.lendTools(tab.client, [
      {
        name: 'where',
        annotations: { readOnlyHint: hint },
        run() {
          globalThis.ran += 1
          return new Promise((resolve) => {
            globalThis.finish = () => resolve({ content: [{ type: 'text', text: document.URL }] })
          })
        }
      }
    ])
  }, readOnlyHint)

const begin = (page: Page) =>
  page.evaluate(async () => {
    await tab.connected
    tab.kept.result = tab.call('where')
    tab.kept.result.catch(() => undefined)
  })
const result = (page: Page) => page.evaluate(() => tab.kept.result?.catch((error: Error) => error.message))
const ran = (page: Page) => expect.poll(() => page.evaluate(() => globalThis.ran))

test('a page runs a call once, and its answer reaches the caller, though the worker is killed meanwhile', async ({
  openTab,
  killWorker
}) => {
  const [lends, calls] = [await openTab(url), await openTab(url)]
  await lend(lends, false)
  await begin(calls)
  await ran(lends).toBe(1)
  await killWorker('tabs')
  await expect.poll(() => calls.evaluate(() => tab.states.at(-1))).toBe('connected')
  await lends.evaluate(() => finish())
  expect(await result(calls)).toContain('tabs.html')
  await ran(lends).toBe(1)
})

test('a call whose page closes goes to another that lends the tool, if the tool only reads', async ({ openTab }) => {
  const [closes, calls] = [await openTab(url), await openTab(url)]
  await lend(closes, true)
  await begin(calls)
  await ran(closes).toBe(1)
  await lend(calls, true)
  await closes.close()
  await ran(calls).toBe(1)
  await calls.evaluate(() => finish())
  expect(await result(calls)).toContain('tabs.html')
})

test('any other call fails when its page closes, and says that it may have run', async ({ openTab }) => {
  const [closes, calls] = [await openTab(url), await openTab(url)]
  await lend(closes, false)
  await begin(calls)
  await ran(closes).toBe(1)
  await lend(calls, false)
  await closes.close()
  expect(await result(calls)).toContain('which may have run')
  await ran(calls).toBe(0)
})
