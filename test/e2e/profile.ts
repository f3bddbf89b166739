// A profile on disk whose browser can be killed hard and opened again.

import { type BrowserContext, chromium } from '@playwright/test'
import { browserArgs, findBrowser } from '../../scripts/browser.mjs'

export class Profile {
  readonly #path: string
  readonly #baseURL: string
  #context: BrowserContext | undefined

  constructor(path: string, baseURL: string) {
    this.#path = path
    this.#baseURL = baseURL
  }

  async open(): Promise<BrowserContext> {
    const executablePath = findBrowser()
    if (!executablePath) throw new Error('No Chromium found: run `npm test` once, or set INTAB_BROWSER to its path')
    const options = { executablePath, args: browserArgs, baseURL: this.#baseURL }
    this.#context = await chromium.launchPersistentContext(this.#path, options)
    return this.#context
  }

  /** SIGKILL to the browser's own process: nothing is flushed, nobody is told. */
  async kill(): Promise<void> {
    const browser = this.#context?.browser()
    if (!browser) throw new Error('This profile has no open browser')
    const session = await browser.newBrowserCDPSession()
    const { processInfo } = await session.send('SystemInfo.getProcessInfo')
    const main = processInfo.find(({ type }) => type === 'browser')
    if (!main) throw new Error('The browser does not tell its process')
    const gone = new Promise<void>((resolve) => browser.on('disconnected', () => resolve()))
    process.kill(main.id, 'SIGKILL')
    await gone
  }

  async close(): Promise<void> {
    await this.#context?.close().catch(() => undefined)
  }
}
