// The engines that `npm run e2e:engines` has found, by the names of its targets.
import type { Target } from '../../scripts/engines/ensure-engines.mjs'
import { browserArgs } from '../../scripts/browser.mjs'
import type { Launch } from './drivers/driver.js'
import { playwright } from './drivers/playwright.js'
import { puppeteer } from './drivers/puppeteer.js'
import { webDriver } from './drivers/webdriver.js'

export const targets = JSON.parse(process.env['INTAB_ENGINES'] ?? '{}') as Record<string, Target>

export function launchOf(name: string): Launch {
  const target = targets[name]
  if (target === undefined) throw new Error(`There is no target ${name}: run npm run e2e:engines`)
  switch (target.driver) {
    case 'playwright':
      return playwright(target.browser, target.path)
    case 'webdriver':
      return webDriver(target.path, target.where)
    case 'puppeteer': {
      const args = target.browser === 'chrome' ? [...browserArgs, ...target.args] : target.args
      return puppeteer(target.browser, target.path, target.modules, args)
    }
  }
}
