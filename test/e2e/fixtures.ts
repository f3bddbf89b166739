// A browser as a person has it: a profile on disk, several tabs, a worker that may die.
import type { BrowserContext, Page } from '@playwright/test'
import { test as base, chromium, expect } from '@playwright/test'
import { browserArgs, findBrowser } from '../../scripts/browser.mjs'
import { SharedWorkers } from './shared-workers.js'

export { expect }

/** A violation of the Content-Security-Policy as the browser reports it. */
export interface CspReport {
  'csp-report': { 'blocked-uri': string; 'document-uri': string; 'effective-directive': string; 'source-file'?: string }
}

interface Fixtures {
  /** Extra arguments of the browser. */
  args: string[]
  /** Default arguments of Playwright to leave out, such as --disable-back-forward-cache. */
  ignoreDefaultArgs: string[]
  /** Uncaught errors of pages and workers; a test that expects one removes it, else it fails. */
  problems: string[]
  workers: SharedWorkers
  /** Opens a tab at a path of the server: the demo by default. */
  openTab: (path?: string) => Promise<Page>
  /** Ends the SharedWorker whose URL contains the text, as a crash does; resolves when it is gone. */
  killWorker: (url?: string) => Promise<void>
  cspReports: () => Promise<CspReport[]>
}

export const test = base.extend<Fixtures>({
  args: [[], { option: true }],
  ignoreDefaultArgs: [[], { option: true }],

  // newContext() is incognito and keeps IndexedDB in memory: https://playwright.dev/docs/api/class-browsertype#browser-type-launch-persistent-context
  context: async ({ args, ignoreDefaultArgs, baseURL }, use, info) => {
    const executablePath = findBrowser()
    if (!executablePath) throw new Error('No Chromium found: run `npm test` once, or set INTAB_BROWSER to its path')
    const context = await chromium.launchPersistentContext(info.outputPath('profile'), {
      executablePath,
      args: [...browserArgs, ...args],
      ignoreDefaultArgs,
      ...(baseURL === undefined ? {} : { baseURL })
    })
    await use(context)
    await context.close()
  },

  problems: async ({}, use) => {
    const problems: string[] = []
    await use(problems)
    expect(problems, 'uncaught errors of pages and workers').toEqual([])
  },

  workers: async ({ context, problems }, use) => {
    context.on('weberror', (error) => problems.push(`page: ${error.error().stack ?? error.error().message}`))
    const workers = await SharedWorkers.watch(context, (problem) => problems.push(problem))
    await use(workers)
  },

  openTab: async ({ context, workers: _workers }, use) => {
    await use(async (path = '/') => {
      const page = await context.newPage()
      await page.goto(path)
      return page
    })
  },

  killWorker: async ({ workers }, use) => {
    await use((url = '') => workers.kill(url))
  },

  cspReports: async ({ request }, use) => {
    await use(async () => (await (await request.get('/csp-reports')).json()) as CspReport[])
  }
})

export type { BrowserContext, Page }
