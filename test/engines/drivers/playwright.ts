// Playwright's own builds of Firefox and WebKit, where Debian's packages cannot be had.
import { firefox, webkit } from '@playwright/test'
import type { Page } from '@playwright/test'
import type { Browser, Launch, Tab } from './driver.js'

export const playwright =
  (browser: 'firefox' | 'webkit', executablePath: string): Launch =>
  async (profile, { isPrivate = false } = {}) => {
    const { [browser]: type } = { firefox, webkit }
    const launched = isPrivate ? await type.launch({ executablePath }) : undefined
    const context = await (launched?.newContext() ?? type.launchPersistentContext(profile, { executablePath }))
    return {
      async open(url) {
        const page = await context.newPage()
        await page.goto(url)
        return tabOf(page)
      },
      close: () => (launched ?? context).close()
    } satisfies Browser
  }

const tabOf = (page: Page): Tab => ({
  // Arguments go as one, and a function as text, since Playwright takes one argument only.
  run: (fn, ...args) => page.evaluate(`(${String(fn)})(...${JSON.stringify(args)})`),
  goto: async (url) => void (await page.goto(url)),
  reload: async () => void (await page.reload()),
  back: () => page.evaluate(() => void setTimeout(() => history.back())),
  close: () => page.close(),
  screenshot: () => page.screenshot()
})
