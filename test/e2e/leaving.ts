// Every way in which a tab leaves, and every moment at which it may.

import type { Page } from './fixtures.js'
import { expect } from './fixtures.js'
import { comeBack, connected, crash as crashPage, rowsOf } from './tabs.js'

/** What the tab does in the turn in which it leaves. */
type Last = 'answer' | 'call' | undefined

export interface Moment {
  name: string
  /** What the tab has begun before it leaves: a task that sleeps or asks, or a plain call. */
  begin?: 'sleeping task' | 'asking task' | 'plain call'
  last?: Last
  /** What may come of it. */
  results: string[]
}

export interface Way {
  name: string
  /** Another tab was there first, so that the worker survives. */
  second?: true
  leave(page: Page, last: Last): Promise<void>
  /** Who goes on: the tab itself, or the other one. */
  next: 'itself' | 'another'
  /** What the tab waited for when it left goes on as well, when it returns by this. */
  back?(page: Page): Promise<void>
}

export const moments: Moment[] = [
  { name: 'waits in tasks/result', begin: 'sleeping task', results: ['done'] },
  { name: 'holds a question', begin: 'asking task', results: ['q by the next'] },
  { name: 'answers a question', begin: 'asking task', last: 'answer', results: ['q by the first', 'q by the next'] },
  { name: 'has just sent tools/call', last: 'call', results: ['q by the next'] },
  { name: 'is in the middle of a plain tools/call', begin: 'plain call', results: ['q by the next'] }
]

const elsewhere = '/favicon.svg'

async function go(page: Page, last: Last, how: 'reload' | 'navigate'): Promise<void> {
  const loaded = page.waitForEvent('load')
  await page.evaluate(
    ([what, url]) => {
      tab.kept.last?.(what)
      if (url === undefined) location.reload()
      else location.href = url
    },
    [last, how === 'navigate' ? elsewhere : undefined] as const
  )
  await loaded
}

const act = (page: Page, last: Last): Promise<void> =>
  page.evaluate((what) => {
    tab.kept.last?.(what)
  }, last)

export const reload: Way = {
  name: 'reloads',
  second: true,
  leave: (page, last) => go(page, last, 'reload'),
  next: 'itself'
}
export const reloadAlone: Way = {
  name: 'reloads, and the worker dies with it',
  leave: (page, last) => go(page, last, 'reload'),
  next: 'itself'
}
export const close: Way = {
  name: 'closes',
  second: true,
  async leave(page, last) {
    await act(page, last)
    await page.close()
  },
  next: 'another'
}
const crashes: Omit<Way, 'name'> = {
  async leave(page, last) {
    await act(page, last)
    await crashPage(page)
  },
  next: 'another'
}
export const crash: Way = { ...crashes, name: 'crashes', second: true }
export const crashAlone: Way = { ...crashes, name: 'crashes, and the worker that it made with it' }
export const navigate: Way = {
  name: 'navigates away',
  second: true,
  leave: (page, last) => go(page, last, 'navigate'),
  next: 'another'
}
export const cached: Way = {
  name: 'comes back from the back/forward cache',
  second: true,
  async leave(page, last) {
    await go(page, last, 'navigate')
    await comeBack(page)
  },
  next: 'itself',
  back: () => Promise.resolve()
}
export const cachedLong: Way = {
  name: 'is in the back/forward cache while another goes on',
  second: true,
  leave: (page, last) => go(page, last, 'navigate'),
  next: 'another',
  back: comeBack
}

/** Brings a connected tab to the moment. */
export async function begin(page: Page, { begin: what }: Moment): Promise<void> {
  await page.evaluate(async (begun) => {
    const { client, intab, kept } = tab
    const run = async (name: string, args: object): Promise<void> => {
      const task = await intab.runTask(client, { name, arguments: { ...args } })
      kept.result = tab.follow(task.taskId)
    }
    kept.last = (last: Last) => {
      if (last === 'answer') tab.answer('by the first')
      if (last === 'call') {
        kept.result = intab
          .runTask(client, { name: 'ask', arguments: { message: 'q' } })
          .then(({ taskId }) => tab.follow(taskId))
      }
    }
    if (begun === 'sleeping task') await run('work', { ms: 1_500 })
    if (begun === 'asking task') await run('ask', { message: 'q' })
    if (begun === 'plain call') kept.result = tab.call('ask', { message: 'q' })
  }, what)
  if (what === 'asking task' || what === 'plain call') {
    await expect.poll(() => page.evaluate(() => tab.asked.length)).toBe(1)
  }
}

/** Waits for all that is unfinished, answers what it is asked, and returns what came of it. */
export async function goOn(page: Page): Promise<string[]> {
  await connected(page)
  return page.evaluate(async () => {
    tab.automatic = 'by the next'
    tab.answer('by the next')
    const { tasks } = await tab.intab.listTasks(tab.client)
    return Promise.all(tasks.map(({ taskId }) => tab.follow(taskId)))
  })
}

/** Nothing was done twice and nothing lost: one task, one question under one id, and the answer that the result tells. */
export async function expectOnce(page: Page, result: string | undefined): Promise<void> {
  const tasks = await rowsOf(page, 'tasks')
  expect(tasks.map(({ status }) => status)).toEqual(result === undefined ? [] : ['completed'])
  const answers = (await rowsOf(page, 'messages')).map(({ answer }) => `q ${answer?.result?.content?.text ?? ''}`)
  expect(answers).toEqual(result === undefined || result === 'done' ? [] : [result])
}
