import type { Page } from './fixtures.js'
import { expect, test } from './fixtures.js'

const url = '/test/e2e/pages/connect.html'
const to = (page: Page, kind: string, fallback?: boolean) =>
  page.evaluate(([name, other]) => connect.to(name, other), [kind, fallback] as const)
const is = (page: Page) => page.evaluate(() => connect.is())
const ask = (page: Page) => page.evaluate(() => connect.ask())

test('F58 a killed worker is replaced within a second, and the tab goes on', async ({ openTab, killWorker }) => {
  const page = await openTab(url)
  expect(await to(page, 'shared')).toBeUndefined()
  const before = await is(page)
  await killWorker('connect')
  await expect.poll(async () => (await is(page)).states).toEqual(['connected', 'reconnecting', 'connected'])
  const after = await is(page)
  expect(after.errors).toEqual([])
  expect(after.worker).not.toBe(before.worker)
  expect([after.session, after.connection]).toEqual([before.session, before.connection])
  expect(await ask(page)).toEqual({ worker: after.worker, connections: 1 })
})

test('two tabs whose worker is killed meet in one worker again', async ({ openTab, killWorker }) => {
  const [a, b] = [await openTab(url), await openTab(url)]
  await Promise.all([to(a, 'shared'), to(b, 'shared')])
  await killWorker('connect')
  for (const page of [a, b]) {
    await expect.poll(async () => (await is(page)).states).toEqual(['connected', 'reconnecting', 'connected'])
  }
  expect((await ask(a)).worker).toBe((await ask(b)).worker)
})

test('F32 F59 the worker notices a tab that closes, and one that crashes', async ({ openTab, problems }) => {
  const [stays, closes, crashes] = [await openTab(url), await openTab(url), await openTab(url)]
  for (const page of [stays, closes, crashes]) expect(await to(page, 'shared')).toBeUndefined()
  expect((await ask(stays)).connections).toBe(3)
  await closes.close()
  await expect.poll(async () => (await ask(stays)).connections).toBe(2)
  const crashed = crashes.waitForEvent('crash')
  crashes.goto('chrome://crash').catch(() => undefined)
  await crashed
  await expect.poll(async () => (await ask(stays)).connections).toBe(1)
  expect(problems).toEqual([])
})

test('a session survives a reload, a connection does not', async ({ openTab }) => {
  const page = await openTab(url)
  await to(page, 'shared')
  const before = await is(page)
  await page.reload()
  await to(page, 'shared')
  const after = await is(page)
  expect(after.session).toBe(before.session)
  expect(after.connection).not.toBe(before.connection)
})

test('F64 a duplicated tab has a session of its own', async ({ openTab }) => {
  const page = await openTab(url)
  await to(page, 'shared')
  const opening = page.waitForEvent('popup')
  await page.evaluate(() => void open(location.href))
  const copy = await opening
  await copy.waitForLoadState()
  expect(await copy.evaluate(() => sessionStorage.getItem('intab:session'))).toBe((await is(page)).session)
  await to(copy, 'shared')
  expect((await is(copy)).session).not.toBe((await is(page)).session)
})

test('a dedicated worker serves where there is no SharedWorker, and ends with its transport', async ({ openTab }) => {
  const page = await openTab(url)
  await page.evaluate(() => Reflect.deleteProperty(globalThis, 'SharedWorker'))
  expect(await to(page, 'shared')).toMatchObject({ code: 'worker_failed', message: /`fallback`/ })
  expect(await to(page, 'shared', true)).toBeUndefined()
  expect(await is(page)).toMatchObject({ state: 'connected', kind: 'worker' })
  expect(page.workers()).toHaveLength(1)
  const ended = page.workers()[0]?.waitForEvent('close')
  await page.evaluate(() => connect.close())
  await ended
})

test('a server in the page itself serves, too', async ({ openTab }) => {
  const page = await openTab(url)
  expect(await to(page, 'page')).toBeUndefined()
  expect(await ask(page)).toMatchObject({ connections: 1 })
  expect(await is(page)).toMatchObject({ kind: 'page' })
})

for (const kind of ['missing', 'foreign']) {
  test(`a ${kind} script is told of at once`, async ({ openTab }) => {
    const page = await openTab(url)
    // A worker that is waited for in vain shows no sign of life.
    expect(await to(page, kind)).toMatchObject({
      code: 'worker_failed',
      message: expect.stringMatching(/^The worker (failed|could not be made)/)
    })
  })
}

test('tabs that make the worker with other options are told so at once', async ({ openTab }) => {
  const [first, second] = [await openTab(url), await openTab(url)]
  expect(await to(first, 'shared')).toBeUndefined()
  expect(await to(second, 'mixed')).toMatchObject({
    code: 'worker_failed',
    message: expect.stringContaining('other options')
  })
})

test('a script that throws as it loads is told of at once', async ({ openTab, problems }) => {
  const page = await openTab(url)
  const told = { code: 'worker_failed', message: expect.stringContaining('thrown as the script loads') }
  expect(await to(page, 'broken')).toMatchObject(told)
  // The browser tells the page and the console on two roads.
  await expect.poll(() => problems.join()).toContain('thrown as the script loads')
  problems.splice(0)
})
