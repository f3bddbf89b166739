// A browser as a person has it: a profile on disk, several tabs, a worker that may die.
//
// For authors of specs:
// - All tests of a Playwright worker share one browser and one profile (see shared-browser.ts). What keeps them apart is
//   the origin: each test has its own, `http://t17.localhost:<port>`, which Chromium resolves to this machine. Web
//   Storage, IndexedDB, Web Locks, SharedWorkers, service workers and quota belong to an origin.
// - Open tabs with `openTab(path)`, or use `page` and `page.goto(path)`; a path is one of the test's origin, `origin`.
//   `baseURL` is the server as Node reaches it (Node does not resolve `t17.localhost`): use it for `request`, for
//   `route.fetch`, and for browsers that the test starts itself.
// - After a test its pages are closed, and init scripts, exposed functions, routes, permissions and `setOffline` of its
//   `context` are undone. Nothing else may outlive a test: close servers and clients that you open.
// - `workers`, `killWorker`, `problems` and `cspReports` tell of what the test itself opened. `workers(browser)` of
//   intab/testing tells of all; filter by `origin`.
// - A test that needs other arguments says `test.use({ args })` or `test.use({ ignoreDefaultArgs })` at the top of its
//   file: Playwright starts a browser for all files that say the same. Where the profile or the death of a browser is
//   the point, start one with `Profile` of profile.ts.
// - Wait for events, or with `expect.poll`; no test may depend on the speed of the machine. Where the product waits for
//   a time of its own, the test sets it.
import type { BrowserContext, Page } from '@playwright/test'
import { test as base, expect } from '@playwright/test'
import { SharedBrowser, type Visit } from './shared-browser.js'
import { SharedWorkers } from './shared-workers.js'

export { expect }

/** A violation of the Content-Security-Policy as the browser reports it. */
export interface CspReport {
  'csp-report': { 'blocked-uri': string; 'document-uri': string; 'effective-directive': string; 'source-file'?: string }
}

interface Fixtures {
  visit: Visit
  /** Of this test alone. */
  origin: string
  /** Uncaught errors of pages and workers; a test that expects one removes it, else it fails. */
  problems: string[]
  workers: SharedWorkers
  /** Opens a tab at a path of the test's origin: the demo by default. */
  openTab: (path?: string) => Promise<Page>
  /** Ends the SharedWorker whose URL contains the text, as a crash does; resolves when it is gone. */
  killWorker: (url?: string) => Promise<void>
  cspReports: () => Promise<CspReport[]>
}

interface WorkerFixtures {
  /** Extra arguments of the browser. */
  args: string[]
  /** Default arguments of Playwright to leave out, such as --disable-back-forward-cache. */
  ignoreDefaultArgs: string[]
  sharedBrowser: SharedBrowser
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  args: [[], { option: true, scope: 'worker' }],
  ignoreDefaultArgs: [[], { option: true, scope: 'worker' }],

  sharedBrowser: [
    async ({ args, ignoreDefaultArgs }, use, { project, workerIndex }) => {
      const browser = await SharedBrowser.launch(`${project.outputDir}/profile-${workerIndex}`, args, ignoreDefaultArgs)
      await use(browser)
      await browser.close()
    },
    { scope: 'worker' }
  ],

  visit: async ({ sharedBrowser, baseURL }, use) => sharedBrowser.visit(baseURL ?? '', use),

  context: async ({ visit }, use) => use(visit.context),

  origin: async ({ visit }, use) => use(visit.origin),

  problems: async ({}, use) => {
    const problems: string[] = []
    await use(problems)
    expect(problems, 'uncaught errors of pages and workers').toEqual([])
  },

  workers: async ({ context, problems }, use) => {
    const report = (problem: string): void => void problems.push(problem)
    const inPage = (error: { error(): Error }): void => report(`page: ${error.error().stack ?? error.error().message}`)
    context.on('weberror', inPage)
    const workers = await SharedWorkers.watch(context, report)
    await use(workers)
    workers.stop()
    context.off('weberror', inPage)
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

  cspReports: async ({ request, origin }, use) => {
    await use(async () => {
      const reports = (await (await request.get('/csp-reports')).json()) as CspReport[]
      return reports.filter((report) => report['csp-report']['document-uri'].startsWith(origin))
    })
  }
})

export type { BrowserContext, Page }
