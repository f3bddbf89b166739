// Three tabs of one browser over up to three workers, which come and go.

import type { BrowserContext, Page } from '@playwright/test'
import { toError } from '../../../src/errors.js'
import type { Random } from '../../support/random.js'

export interface SoakTab {
  readonly page: Page
  /** Resolves when the page can be talked to. */
  ready: Promise<unknown>
}

/** What a call in a tab comes to when the tab goes first. */
export const gone = Symbol('gone')

/** What Playwright says of a call in a page that reloads, closes or crashes. */
const wentAway = /Execution context was destroyed|has been closed|Target crashed/

const workerNames = ['a', 'b', 'c']

export class SoakTabs {
  readonly #context: BrowserContext
  readonly #random: Random
  #open: SoakTab[] = []
  #count = 0

  constructor(context: BrowserContext, random: Random) {
    this.#context = context
    this.#random = random
  }

  get all(): readonly SoakTab[] {
    return this.#open
  }

  any(): SoakTab | undefined {
    return this.#random.pick(this.#open)
  }

  /** Opens tabs until there are three; each resolves when it is connected. */
  async fill(): Promise<void> {
    while (this.#open.length < 3) {
      const page = await this.#context.newPage()
      const query = new URLSearchParams({ tab: String(++this.#count), worker: this.#random.pick(workerNames) ?? '' })
      const tab = { page, ready: page.goto(`/test/e2e/pages/soak.html?${query.toString()}`) }
      await tab.ready
      // A crash takes other tabs of the same process with it.
      page.on('crash', () => {
        this.#leave(tab)
        page.close().catch(() => undefined)
      })
      this.#open.push(tab)
    }
    await Promise.all(this.#open.map(({ page }) => page.evaluate(() => soak.connected)))
  }

  async reload(tab: SoakTab): Promise<void> {
    tab.ready = tab.page.reload()
    await tab.ready
  }

  async close(tab: SoakTab): Promise<void> {
    this.#leave(tab)
    await tab.page.close()
  }

  async crash(tab: SoakTab): Promise<void> {
    this.#leave(tab)
    const crashed = tab.page.waitForEvent('crash')
    tab.page.goto('chrome://crash').catch(() => undefined)
    await crashed
    await tab.page.close()
  }

  /** Runs something in a tab; resolves with `gone` when the tab goes first. */
  async in<T>(tab: SoakTab, act: (page: Page) => Promise<T>): Promise<T | typeof gone> {
    try {
      await tab.ready
      return await act(tab.page)
    } catch (error) {
      if (wentAway.test(toError(error).message)) return gone
      throw error
    }
  }

  #leave(tab: SoakTab): void {
    this.#open = this.#open.filter((open) => open !== tab)
  }
}
