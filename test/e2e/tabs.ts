// What the tabs' tests do with their pages, and what they look at behind the server's back.

import type { Page } from './fixtures.js'
import { expect } from './fixtures.js'

export type Host = 'shared' | 'worker' | 'page'

/** The tabs' page, with its server in this host. */
export const tabsPage = (query: Record<string, string> = {}): string =>
  `/test/e2e/pages/tabs.html?${new URLSearchParams(query).toString()}`

/** Resolves once the tab is connected; fails with the tab's own error when it is not. */
export async function connected(page: Page): Promise<void> {
  await page.waitForLoadState()
  expect(await page.evaluate(() => tab.connected)).toBeUndefined()
}

export interface Row {
  taskId: string
  status?: string
  executor?: string
  kind?: string
  requestId?: string
  state?: string
  answer?: { result?: { content?: { text?: string } } }
}

/** All rows of a store, read past the server. */
export const rowsOf = (page: Page, store: 'tasks' | 'messages'): Promise<Row[]> =>
  page.evaluate(
    (name) =>
      new Promise<Row[]>((resolve, reject) => {
        const opening = indexedDB.open('intab:tabs')
        opening.onerror = () => reject(new Error('The database does not open'))
        opening.onsuccess = () => {
          const db = opening.result
          const all = db.transaction(name).objectStore(name).getAll() as IDBRequest<Row[]>
          all.onsuccess = () => {
            db.close()
            resolve(all.result)
          }
        }
      }),
    store
  )

/** Names of the Web Locks of the origin that are held or waited for. */
export const locksOf = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const { held = [], pending = [] } = await navigator.locks.query()
    return [...held, ...pending].map(({ name }) => String(name)).sort()
  })

/** Ends the page's process, without a word to anybody. */
export async function crash(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const crashed = page.waitForEvent('crash')
  // Never answered: whoever would answer is gone.
  session.send('Page.crash').catch(() => undefined)
  await crashed
}

/** Goes back to the page before, out of the back/forward cache; Playwright's own goBack() waits for ever there. */
export async function comeBack(page: Page): Promise<void> {
  // The page must say it by itself: an evaluation that meets it while it is cached throws it out of the cache.
  const restored = page.waitForEvent('console', (message) => message.text() === 'restored')
  await page.evaluate(() => history.back())
  await restored
}
