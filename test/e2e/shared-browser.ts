// One browser and one profile for all tests of a Playwright worker; each test gets an origin of its own.
import { rm } from 'node:fs/promises'
import type { BrowserContext, Page } from '@playwright/test'
import { chromium } from '@playwright/test'
import { browserArgs, findBrowser } from '../../scripts/browser.mjs'

/** What a test adds to the context by these stays until its handle is disposed of. */
const additions = ['addInitScript', 'exposeFunction', 'exposeBinding'] as const

export interface Visit {
  context: BrowserContext
  /** Of this test alone: `http://t17.localhost:4173`. */
  origin: string
}

export class SharedBrowser {
  readonly #context: BrowserContext
  readonly #profile: string
  #visits = 0

  private constructor(context: BrowserContext, profile: string) {
    this.#context = context
    this.#profile = profile
  }

  // newContext() is incognito and keeps IndexedDB in memory: https://playwright.dev/docs/api/class-browsertype#browser-type-launch-persistent-context
  static async launch(profile: string, args: string[], ignoreDefaultArgs: string[]): Promise<SharedBrowser> {
    const executablePath = findBrowser()
    if (!executablePath) throw new Error('No Chromium found: run `npm test` once, or set INTAB_BROWSER to its path')
    const options = { executablePath, args: [...browserArgs, ...args], ignoreDefaultArgs }
    return new SharedBrowser(await chromium.launchPersistentContext(profile, options), profile)
  }

  /** Runs a test. Afterwards its pages are closed, which ends its workers, and what it changed of the context is undone. */
  async visit(server: string, test: (visit: Visit) => Promise<void>): Promise<void> {
    const context = this.#context
    const { origin } = new URL(server.replace('//', `//t${++this.#visits}.`))
    const before = new Set(context.pages())
    const undo = this.#recordAdditions()
    const resolve = (page: Page): void => resolvePaths(page, origin)
    context.on('page', resolve)
    try {
      await test({ context, origin })
    } finally {
      context.off('page', resolve)
      await Promise.all(context.pages().flatMap((page) => (before.has(page) ? [] : [page.close()])))
      await undo()
      await context.unrouteAll({ behavior: 'ignoreErrors' })
      await context.clearPermissions()
      await context.setOffline(false)
    }
  }

  async close(): Promise<void> {
    await this.#context.close()
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 5 })
  }

  #recordAdditions(): () => Promise<void> {
    const context = this.#context
    const added: AsyncDisposable[] = []
    const originals = additions.map((name) => [name, Reflect.get(context, name)] as const)
    for (const [name, original] of originals) {
      Reflect.set(context, name, async (...given: unknown[]) => {
        const handle = (await Reflect.apply(original, context, given)) as AsyncDisposable
        added.push(handle)
        return handle
      })
    }
    return async () => {
      for (const [name, original] of originals) Reflect.set(context, name, original)
      for (const handle of added) await handle[Symbol.asyncDispose]()
    }
  }
}

/** The base of a context is given when it is launched, and each test has another. */
function resolvePaths(page: Page, origin: string): void {
  const goto = page.goto.bind(page)
  page.goto = (url, options) => goto(new URL(url, origin).href, options)
}
