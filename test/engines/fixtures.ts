// A browser of the target for all scenarios of a worker, and an origin for each of them.
import { rm } from 'node:fs/promises'
import { test as base, expect } from '@playwright/test'
import type { Browser, Launch, Tab } from './drivers/driver.js'
import { serveApp, type Site } from './site.js'
import { launchOf } from './targets.js'

export { expect }
export type { Tab }

export interface Options {
  /** One of `npm run e2e:engines`. */
  target: string
}

interface WorkerFixtures extends Options {
  launch: Launch
  engine: Browser
}

interface Fixtures {
  site: Site
  /** Opens a tab of the scenario's origin, by its query: connected, unless the scenario expects that it is not. */
  open: (query?: Record<string, string>, connects?: boolean) => Promise<Tab>
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  target: ['', { option: true, scope: 'worker' }],
  launch: [async ({ target }, use) => use(launchOf(target)), { scope: 'worker' }],
  engine: [
    async ({ launch, target }, use, { project, workerIndex }) => {
      const profile = `${project.outputDir}/${target}-${workerIndex}`
      const browser = await launch(profile)
      await use(browser)
      await browser.close()
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
    { scope: 'worker', timeout: 180_000 }
  ],
  site: async ({}, use) => {
    const site = await serveApp()
    await use(site)
    await site.stop()
  },
  open: async ({ engine, site }, use) => {
    const tabs: Tab[] = []
    await use(async (query = {}, connects = true) => {
      const tab = await engine.open(`${site.origin}/tab.html?${new URLSearchParams(query).toString()}`)
      tabs.push(tab)
      if (connects) await connected(tab)
      return tab
    })
    // Those that the scenario closed are closed.
    for (const tab of tabs) await tab.close().catch(() => undefined)
  }
})

/** Fails with the tab's own error when it does not connect. */
export async function connected(tab: Tab): Promise<void> {
  expect(await tab.run(() => app.connected)).toBeUndefined()
}

const median = (all: number[]): number => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0

/** Of milliseconds; for people, since no test depends on speed. */
export const figures = (all: number[]): string =>
  `median ${Math.round(median(all))} ms, max ${Math.round(Math.max(...all))} ms`
