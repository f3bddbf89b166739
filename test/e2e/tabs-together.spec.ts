// Tabs that live at the same time: copies, several clients in one page, frozen ones.

import type { Page } from './fixtures.js'
import type { Tab } from './pages/tabs.js'
import { expect, test } from './fixtures.js'
import { begin, expectOnce, goOn, moments } from './leaving.js'
import { connected, locksOf, tabsPage } from './tabs.js'

const identity = (page: Page) =>
  page.evaluate(() => ({ session: tab.transport.session, connection: tab.transport.connection }))

for (const moment of moments) {
  test(`F64 a tab that is duplicated while it ${moment.name} notices nothing, and its copy is somebody else`, async ({
    openTab
  }) => {
    const original = await openTab(tabsPage())
    await connected(original)
    await begin(original, moment)
    const before = await identity(original)

    const opened = original.waitForEvent('popup')
    await original.evaluate((last) => {
      tab.kept.last?.(last)
      // A window that its opener can reach begins with a copy of the opener's sessionStorage.
      window.open(location.href)
    }, moment.last)
    const copy = await opened
    await connected(copy)

    expect(await identity(original)).toEqual(before)
    const { session, connection } = await identity(copy)
    expect([session, connection]).not.toContain(before.session)
    expect(connection).not.toBe(before.connection)
    expect(await copy.evaluate(() => tab.asked)).toEqual([])

    const there = copy.evaluate(async () => {
      const { tasks } = await tab.intab.listTasks(tab.client)
      return tasks[0] && tab.follow(tasks[0].taskId)
    })
    await goOn(original)
    const result = await original.evaluate(() => tab.kept.result)
    expect(moment.results).toContain(result)
    if (moment.last !== 'call') expect(await there).toBe(result)
    await expectOnce(original, result)
    expect(await original.evaluate(() => tab.states)).toEqual(['connected'])
  })
}

test('F64 original and copy keep their own sessions when both reload', async ({ openTab }) => {
  const original = await openTab(tabsPage())
  await connected(original)
  const opened = original.waitForEvent('popup')
  await original.evaluate(() => void window.open(location.href))
  const copy = await opened
  await connected(copy)
  const sessions = [(await identity(original)).session, (await identity(copy)).session]
  for (const page of [original, copy]) await page.reload()
  for (const page of [original, copy]) await connected(page)
  expect([(await identity(original)).session, (await identity(copy)).session]).toEqual(sessions)
})

test('two clients in one page are two connections: each has its session, its questions and its end', async ({
  openTab
}) => {
  const page = await openTab(tabsPage())
  await connected(page)
  const seen = await page.evaluate(async () => {
    const [one, two] = [tab, newTab()]
    globalThis.tab = two
    await two.connected
    const ask = async (who: Tab, message: string): Promise<Promise<string>[]> => {
      const run = await who.intab.runTask(who.client, { name: 'ask', arguments: { message } })
      return [who.follow(run.taskId)]
    }
    const [first] = await ask(one, 'for one')
    const [second] = await ask(two, 'for two')
    while (one.asked.length + two.asked.length < 2) await one.client.ping()
    const asked = [one, two].map((who) => who.asked.map(({ message }) => message))
    const sessions = new Set([one, two].map(({ transport }) => transport.session)).size
    const connections = new Set([one, two].map(({ transport }) => transport.connection)).size
    one.answer('1')
    await one.client.close()
    two.answer('2')
    const states = [one, two].map(({ transport }) => transport.state)
    return { asked, sessions, connections, states, results: await Promise.allSettled([first, second]) }
  })
  expect(seen).toMatchObject({
    asked: [['for one'], ['for two']],
    sessions: 2,
    connections: 2,
    states: ['closed', 'connected'],
    results: [{}, { status: 'fulfilled', value: 'for two 2' }]
  })
})

test('two clients in one page have both their sessions again after a reload', async ({ openTab }) => {
  const page = await openTab(tabsPage())
  await connected(page)
  const both = (): Promise<(string | undefined)[]> =>
    page.evaluate(async () => {
      const two = newTab()
      await Promise.all([tab.connected, two.connected])
      return [tab, two].map(({ transport }) => transport.session)
    })
  const sessions = await both()
  await page.reload()
  expect(await both()).toEqual(sessions)
})

test('F61 a tab that is told of its freezing gives its question to another, and withdraws it when it is resumed', async ({
  openTab
}) => {
  const frozen = await openTab(tabsPage())
  const other = await openTab(tabsPage())
  for (const page of [frozen, other]) await connected(page)
  const [, holds] = moments
  if (holds) await begin(frozen, holds)
  const [question] = await frozen.evaluate(() => tab.asked)
  const { connection } = await identity(frozen)

  // Playwright keeps every page visible, and Chromium freezes none that is: only the event can be had.
  await frozen.evaluate(() => document.dispatchEvent(new Event('freeze')))
  await expect.poll(async () => (await locksOf(other)).some((name) => name.includes(connection))).toBe(false)
  expect(await goOn(other)).toEqual(['q by the next'])
  expect(await other.evaluate(() => tab.asked.map(({ id }) => id))).toEqual([question?.id])

  await frozen.evaluate(() => document.dispatchEvent(new Event('resume')))
  expect(await frozen.evaluate(() => tab.kept.result)).toBe('q by the next')
  expect(await frozen.evaluate(() => tab.asked.map(({ state }) => state))).toEqual(['withdrawn'])
  expect((await identity(frozen)).connection).not.toBe(connection)
})

test('a tab that was reloaded lists, takes over, deletes and forgets what is its user’s, and nothing else', async ({
  openTab
}) => {
  const ann = await openTab(tabsPage({ data: 'ann' }))
  const other = await openTab(tabsPage({ data: 'ann' }))
  const bob = await openTab(tabsPage({ data: 'bob' }))
  for (const page of [ann, other, bob]) await connected(page)
  const [, holds] = moments
  if (holds) for (const page of [other, bob]) await begin(page, holds)
  await ann.reload()
  await connected(ann)

  const seen = await ann.evaluate(async () => {
    const { client, intab } = tab
    const { tasks } = await intab.listTasks(client, { order: 'newest', status: ['input_required'] })
    const questions = await intab.listQuestions(client)
    tab.automatic = 'taken over'
    const [question] = questions
    if (question) await intab.takeQuestion(client, question.requestId)
    const result = question && (await tab.follow(question.taskId))
    return { tasks: tasks.length, shown: questions.map(({ shown, here }) => ({ shown, here })), result }
  })
  expect(seen).toEqual({ tasks: 1, shown: [{ shown: true, here: false }], result: 'q taken over' })
  expect(await other.evaluate(() => tab.kept.result)).toBe('q taken over')
  expect(await other.evaluate(() => tab.asked.map(({ state }) => state))).toEqual(['withdrawn'])

  const left = await ann.evaluate(async () => {
    const { client, intab } = tab
    const { taskId } = await intab.runTask(client, { name: 'endless' })
    await intab.deleteTask(client, taskId)
    const afterDelete = (await intab.listTasks(client)).tasks.length
    await intab.forget(client)
    return [afterDelete, (await intab.listTasks(client)).tasks.length]
  })
  expect(left).toEqual([1, 0])
  expect(await bob.evaluate(async () => (await tab.intab.listTasks(tab.client)).tasks.length)).toBe(1)
})
