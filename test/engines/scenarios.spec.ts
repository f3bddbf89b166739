// What holds in every engine. docs/browsers.md tells of it.
import type { App } from './app/tab.js'
import { connected, expect, type Tab, test } from './fixtures.js'

declare global {
  var app: App
}

const start = (tab: Tab, name: string, args: Record<string, unknown> = {}): Promise<string> =>
  tab.run((tool, given) => app.start(tool, given), name, args)
const follow = (tab: Tab, taskId: string): Promise<void> => tab.run((id) => app.keepFollowing(id), taskId)
const ended = async (tab: Tab, taskId: string, end: [status: string, text: string]): Promise<void> =>
  expect.poll(() => tab.run((id) => app.followed[id] ?? [], taskId)).toEqual(end)
const shown = (tab: Tab): Promise<string[]> => tab.run(() => app.shown())
const answer = (tab: Tab, text: string): Promise<void> => tab.run((given) => app.answer(given), text)

/** Starts a task that asks, waits for it in this tab, and returns it with its question, which is on the screen. */
async function asking(tab: Tab): Promise<{ taskId: string; question: string }> {
  const taskId = await start(tab, 'ask')
  await follow(tab, taskId)
  await expect.poll(() => shown(tab)).toHaveLength(1)
  const [question = ''] = await shown(tab)
  return { taskId, question }
}

const noSharedWorker = 'chromium-no-shared-worker'
const stopped = 'The worker that ran this task stopped before it finished'

test('tools are listed and called, a task asks and has its result', async ({ open }) => {
  const tab = await open()
  expect(await tab.run(() => app.call('version'))).toBe('1')
  const quick = await start(tab, 'quick')
  expect(await tab.run((id) => app.follow(id), quick)).toEqual(['completed', 'done'])
  const { taskId } = await asking(tab)
  await answer(tab, 'yes')
  await ended(tab, taskId, ['completed', 'q yes'])
})

test('a question moves to a tab that waits when its tab closes', async ({ open }) => {
  const keeper = await open()
  const tab = await open()
  const { taskId, question } = await asking(tab)
  await follow(keeper, taskId)
  await tab.close()
  await expect.poll(() => shown(keeper)).toEqual([question])
  await answer(keeper, 'moved')
  await ended(keeper, taskId, ['completed', 'q moved'])
})

test('ten wait for one task, another tab cancels one, and watchers hear of progress', async ({ open }) => {
  const tab = await open()
  const other = await open()
  const counted = await start(tab, 'count', { to: 20 })
  const ends = await tab.run((id) => Promise.all(Array.from({ length: 10 }, () => app.follow(id))), counted)
  expect(ends).toEqual(Array.from({ length: 10 }, () => ['completed', 'counted to 20']))
  await expect.poll(() => other.run((id) => app.progress[id]?.at(-1), counted)).toBe(20)
  const endless = await start(tab, 'endless')
  await follow(tab, endless)
  await other.run((id) => app.cancel(id), endless)
  await expect.poll(() => tab.run((id) => app.followed[id]?.[0], endless)).toBe('cancelled')
})

test('the only tab reloads again and again: the question comes once each time under one id, and one answer counts', async ({
  open,
  target
}) => {
  const tab = await open()
  const { taskId, question } = await asking(tab)
  // The rarest faults were WebKit's.
  const reloads = target === 'webkit-disk' ? 10 : 3
  for (let reload = 1; reload <= reloads; reload++) {
    await tab.reload()
    await connected(tab)
    await follow(tab, taskId)
    await expect.poll(() => tab.run(() => app.asked.map(({ id }) => id))).toEqual([question])
  }
  await answer(tab, 'at last')
  await ended(tab, taskId, ['completed', 'q at last'])
})

test('when the worker dies, what resumes goes on, and the rest fails with the reason', async ({ open }) => {
  const tab = await open()
  const { taskId, question } = await asking(tab)
  const sleeping = await start(tab, 'sleep', { ms: 300 })
  const endless = await start(tab, 'endless')
  await follow(tab, sleeping)
  await follow(tab, endless)
  await tab.run(() => app.die())
  await ended(tab, endless, ['failed', stopped])
  await ended(tab, sleeping, ['completed', 'done'])
  await expect.poll(() => shown(tab)).toEqual([question])
  await answer(tab, 'kept')
  await ended(tab, taskId, ['completed', 'q kept'])
})

test('a script that is missing or throws is worker_failed', async ({ open, target }) => {
  test.skip(target === noSharedWorker, 'the scripts are given to SharedWorker')
  for (const host of ['missing', 'throws']) {
    const tab = await open({ host }, false)
    expect(await tab.run(() => app.connected)).toMatchObject({ code: 'worker_failed' })
  }
})

test('two builds of the worker serve one database', async ({ open, target }) => {
  test.skip(target === noSharedWorker, 'the second build is given to SharedWorker')
  const old = await open()
  const { taskId, question } = await asking(old)
  const next = await open({ host: 'next' })
  expect(await next.run(() => app.call('version'))).toBe('2')
  await follow(next, taskId)
  await old.close()
  await expect.poll(() => shown(next)).toEqual([question])
  await answer(next, 'by the next')
  await ended(next, taskId, ['completed', 'q by the next'])
})

test('a strict policy is not violated', async ({ open, site }) => {
  const tab = await open()
  const { taskId } = await asking(tab)
  await answer(tab, 'yes')
  await ended(tab, taskId, ['completed', 'q yes'])
  // Reports come in order: what came before this one has come.
  await tab.run(() => void (new Image().src = 'http://elsewhere.test/a.png'))
  await expect.poll(() => site.violations.map(({ blocked }) => blocked).join()).toContain('elsewhere.test')
  expect(site.violations.filter(({ blocked }) => !blocked.includes('elsewhere.test'))).toEqual([])
})

test('a page that goes away and comes back has its question again', async ({ open, site, target }) => {
  const tab = await open()
  const { taskId, question } = await asking(tab)
  await tab.goto(`${site.origin}/favicon.svg`)
  await tab.back()
  await expect
    .poll(() => tab.run(() => typeof app === 'object' && app.state() === 'connected').catch(() => false))
    .toBe(true)
  const returned = await tab.run(() => app.returned)
  console.log(`${target}: ${returned ? 'returned' : 'did not return'} from the back/forward cache`)
  if (!returned) await follow(tab, taskId)
  await expect.poll(() => shown(tab)).toEqual([question])
  await answer(tab, 'back')
  await ended(tab, taskId, ['completed', 'q back'])
})

test('a browser that is killed has lost none of 200 tasks', async ({ launch, site, target }, info) => {
  const profile = info.outputPath('profile')
  test.skip(target === 'webkit', 'MiniBrowser under WebDriver keeps its profile in memory')
  test.skip(target === noSharedWorker, 'its storage is that of the target chromium')
  const url = `${site.origin}/tab.html`
  let browser = await launch(profile)
  try {
    let tab = await browser.open(url)
    await connected(tab)
    const made = await tab.run(async () => {
      const ids: string[] = []
      while (ids.length < 200)
        ids.push(...(await Promise.all(Array.from({ length: 20 }, () => app.start('sleep', { ms: 3_600_000 })))))
      return ids
    })
    test.skip(browser.kill === undefined, 'Playwright cannot kill its browser as a crash does')
    await browser.kill?.()
    browser = await launch(profile)
    tab = await browser.open(url)
    await connected(tab)
    const found = await tab.run(() => app.statuses())
    expect(made.filter((id) => found[id] !== 'working')).toEqual([])
    expect(made).toHaveLength(200)
  } finally {
    await browser.close()
  }
})
