// Chromium and Firefox as they ship: Playwright keeps every page awake and focused, which no browser of a person does.
import { pathToFileURL } from 'node:url'
import type { Browser, Launch, Tab } from './driver.js'
import { killTree, workersOf } from './processes.js'

/** The part of puppeteer-core that is used; it is installed apart, see scripts/engines.mjs. */
interface Page {
  evaluate(fn: unknown, ...args: unknown[]): Promise<unknown>
  goto(url: string): Promise<unknown>
  reload(): Promise<unknown>
  bringToFront(): Promise<void>
  close(): Promise<void>
  screenshot(): Promise<Uint8Array>
}
interface Puppeteer {
  launch(options: object): Promise<{
    newPage(): Promise<Page>
    createBrowserContext(): Promise<{ newPage(): Promise<Page> }>
    process(): { pid?: number } | null
    close(): Promise<void>
  }>
}

/** What puppeteer switches off, and a person has on. */
const asShipped = [
  '--disable-back-forward-cache',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-features=Translate,AcceptCHFrame,MediaRouter,OptimizationHints,RenderDocument,IPH_ReadingModePageActionLabel,ReadAnythingOmniboxChip,ProcessPerSiteUpToMainFrameThreshold,IsolateSandboxedIframes'
]

export const puppeteer =
  (browser: 'chrome' | 'firefox', executablePath: string, modules: string, args: string[] = []): Launch =>
  async (profile, { room, isPrivate = false } = {}) => {
    const { default: library } = (await import(
      pathToFileURL(`${modules}/puppeteer-core/lib/esm/puppeteer/puppeteer-core.js`).href
    )) as { default: Puppeteer }
    const launched = await library.launch({
      browser,
      executablePath,
      userDataDir: profile,
      // Both only end what hangs.
      timeout: 120_000,
      protocolTimeout: 0,
      args,
      ignoreDefaultArgs: browser === 'chrome' ? asShipped : false,
      // Firefox: as Debian ships it, but without its pages of welcome. The room is in kB, for all origins; one has a fifth.
      extraPrefsFirefox: {
        'browser.aboutwelcome.enabled': false,
        'browser.privatebrowsing.autostart': isPrivate,
        ...(room !== undefined && { 'dom.quotaManager.temporaryStorage.fixedLimit': Math.ceil((room * 5) / 1024) })
      }
    })
    const pid = launched.process()?.pid ?? 0
    // With --incognito puppeteer would open its pages in the profile all the same.
    const windows = isPrivate && browser === 'chrome' ? await launched.createBrowserContext() : launched
    return {
      open: async (url) => {
        const page = await windows.newPage()
        await page.bringToFront()
        await page.goto(url)
        return tabOf(page)
      },
      kill: () => killTree(pid),
      workers: () => workersOf(pid),
      close: () => launched.close()
    } satisfies Browser
  }

function tabOf(page: Page): Tab {
  return {
    run: ((fn: unknown, ...args: unknown[]) => page.evaluate(fn, ...args)) as Tab['run'],
    goto: async (url) => void (await page.goto(url)),
    reload: async () => void (await page.reload()),
    // goBack() of puppeteer waits for a load, which a page that was cached does not have again.
    back: async () => void (await page.evaluate(() => void setTimeout(() => history.back()))),
    close: () => page.close(),
    async screenshot() {
      await page.bringToFront()
      return Buffer.from(await page.screenshot())
    }
  }
}
