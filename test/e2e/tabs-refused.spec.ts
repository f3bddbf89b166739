// What makes it impossible to connect: the tab is told which and what to do. What is refused at once is
// told by another message than what is silent, so that no test needs a clock.

import type { BrowserContext } from './fixtures.js'
import { expect, test } from './fixtures.js'
import { connected, tabsPage } from './tabs.js'

const scripts = {
  '**/tabs-unparsable.js': 'let let = 1',
  '**/tabs-module.js': 'import "./nothing.js"',
  '**/assets/missing.js': undefined
}

for (const [host, message] of [
  ['missing', /missing\.js returned status 404/],
  ['page404', /tabs\.html returned text\/html instead of JavaScript/],
  ['classic', /tabs-module\.js is a module: create the worker with \{ type: 'module' \}/],
  ['unparsable', /tabs-unparsable\.js loads, so it throws, does not parse/],
  ['forbidden', /could not be fetched|blob:/],
  ['worker-missing', /missing\.js returned status 404/],
  ['silent', /does not call serve\(\)/],
  ['throws', /throws, does not parse|does not call serve\(\)/],
  ['worker-throws', /thrown at load/]
] as const) {
  test(`F35 a server of the kind '${host}' is refused with worker_failed`, async ({ openTab, context, problems }) => {
    for (const [url, body] of Object.entries(scripts)) {
      const answer = body === undefined ? { status: 404 } : { contentType: 'text/javascript', body }
      await context.route(url, (route) => route.fulfill(answer))
    }
    const page = await openTab(tabsPage({ host }))
    const failure = await page.evaluate(() => tab.connected)
    expect(failure).toMatchObject({ code: 'worker_failed' })
    expect(failure?.message).toMatch(message)
    expect(failure?.message).toContain('chrome://inspect/#workers')
    expect(await page.evaluate(() => tab.states)).toEqual(['closed'])
    const expected = /thrown at load|404|SyntaxError/
    expect(problems.splice(0).filter((problem) => !expected.test(problem))).toEqual([])
  })
}

for (const host of ['late', 'worker-late']) {
  test(`a '${host}' that awaits something before serve() is connected to once it serves`, async ({ openTab }) => {
    const page = await openTab(tabsPage({ host }))
    await expect
      .poll(() =>
        page.evaluate(() => {
          new BroadcastChannel('late').postMessage('loaded')
          return tab.transport.state
        })
      )
      .toBe('connected')
    expect(await page.evaluate(() => tab.states)).toEqual(['connected'])
    await page.evaluate(() => tab.client.ping())
  })
}

test('a tab that asks for the same worker by other options is refused, and the others keep it', async ({ openTab }) => {
  const first = await openTab(tabsPage())
  await connected(first)
  const second = await openTab(tabsPage({ host: 'other-options' }))
  const failure = await second.evaluate(() => tab.connected)
  expect(failure).toMatchObject({ code: 'worker_failed' })
  expect(failure?.message).toContain('other options')
  await first.evaluate(() => tab.client.ping())
})

/** Serves the pages of the tests under another origin, with other headers. */
async function serveAt(context: BrowserContext, origin: string, baseURL: string | undefined, policy: string) {
  await context.route(`${origin}/**`, async (route) => {
    const response = await route.fetch({
      url: route
        .request()
        .url()
        .replace(origin, baseURL ?? '')
    })
    await route.fulfill({ response, headers: { ...response.headers(), 'content-security-policy': policy } })
  })
}

test('F29 an insecure context is refused with insecure_context at once', async ({ openTab, context, baseURL }) => {
  await serveAt(context, 'http://insecure.test', baseURL, "default-src 'self'")
  const page = await openTab(`http://insecure.test${tabsPage()}`)
  expect(await page.evaluate(() => isSecureContext)).toBe(false)
  const failure = await page.evaluate(() => tab.connected)
  expect(failure).toMatchObject({ code: 'insecure_context' })
})

test('a sandboxed frame is refused with insecure_context', async ({ openTab, context, origin, baseURL }) => {
  await serveAt(context, origin, baseURL, 'sandbox allow-scripts')
  const page = await openTab(tabsPage())
  expect(await page.evaluate(() => origin)).toBe('null')
  const failure = await page.evaluate(() => tab.connected)
  expect(failure).toMatchObject({ code: 'insecure_context' })
})

test('F49 a page whose storage is refused is told so', async ({ openTab, context }) => {
  await context.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('The user denied permission to access the database', 'SecurityError')
    }
  })
  const page = await openTab(tabsPage({ host: 'page' }))
  const failure = await page.evaluate(() => tab.connected)
  expect(failure).toMatchObject({ code: 'storage_refused' })
})

test('F35 many tabs that open at once all find the worker, however early they ask', async ({ openTab }) => {
  const pages = await Promise.all(Array.from({ length: 6 }, () => openTab(tabsPage())))
  for (const page of pages) await connected(page)
  const generations = await Promise.all(pages.map((page) => page.evaluate(() => tab.transport.worker)))
  expect(new Set(generations).size).toBe(1)
  expect(await Promise.all(pages.map((page) => page.evaluate(() => tab.transport.kind)))).toContain('shared-worker')
})
