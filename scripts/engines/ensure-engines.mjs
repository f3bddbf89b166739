// Finds the browser engines that this machine can have, and installs what is missing: Debian's packages where there is
// apt-get and we are root, Playwright's own builds elsewhere. Each step has a limit.
import { existsSync } from 'node:fs'
import { ensureBrowser } from '../browser.mjs'
import { install } from '../outside.mjs'
import { runTool } from '../run.mjs'
import { debianFirefox, debianWebKit } from './debian.mjs'

/**
 * How a target is driven; `path` is the browser's.
 * @typedef {{ driver: 'puppeteer', browser: 'chrome' | 'firefox', path: string, modules: string, args: string[] }} ByPuppeteer
 * @typedef {{ driver: 'webdriver', where: 'disk' | 'memory', path: string }} ByWebDriver
 * @typedef {{ driver: 'playwright', browser: 'firefox' | 'webkit', path: string }} ByPlaywright
 * @typedef {ByPuppeteer | ByWebDriver | ByPlaywright} Target
 */

/**
 * Installs, or fails to, once.
 * @template T
 * @param {() => Promise<T>} act
 */
function once(act) {
  /** @type {Promise<T> | undefined} */
  let result
  return () => (result ??= act())
}

/** The newest that runs on Node 20. */
const puppeteer = once(() => install('engines', { 'puppeteer-core': '24.8.2' }))
const chromiumPath = once(ensureBrowser)

/** @param {string[]} args @returns {Promise<Target>} */
const chromium = async (...args) => ({
  driver: 'puppeteer',
  browser: 'chrome',
  path: await chromiumPath(),
  modules: await puppeteer(),
  args
})

/**
 * Playwright's build of a browser, which comes from its own server. Where libraries are missing it cannot be had.
 * @param {'firefox' | 'webkit'} browser
 * @returns {Promise<Target>}
 */
async function playwrights(browser) {
  const { [browser]: type } = await import('@playwright/test')
  const path = type.executablePath()
  if (!existsSync(path)) await runTool('playwright', ['install', browser], {}, 5)
  if (!existsSync(path)) throw new Error(`npx playwright install ${browser} did not bring it`)
  const launched = await type.launch({ timeout: 120_000 })
  await launched.close()
  return { driver: 'playwright', browser, path }
}

/**
 * The first that can be had; else the reasons of all.
 * @param {(() => Promise<Target>)[]} ways
 * @returns {Promise<Target>}
 */
async function firstOf(...ways) {
  /** @type {string[]} */
  const reasons = []
  for (const way of ways) {
    try {
      return await way()
    } catch (error) {
      reasons.push(error instanceof Error ? error.message : String(error))
    }
  }
  throw new Error(reasons.join('; '))
}

/** @type {Record<string, () => Promise<Target>>} */
const ways = {
  chromium: () => chromium(),
  'chromium-no-shared-worker': () => chromium('--disable-shared-workers'),
  firefox: () =>
    firstOf(
      async () => {
        const path = await debianFirefox()
        return { driver: 'puppeteer', browser: 'firefox', path, modules: await puppeteer(), args: [] }
      },
      () => playwrights('firefox')
    ),
  'webkit-disk': () =>
    firstOf(
      async () => ({ driver: 'webdriver', where: 'disk', path: await debianWebKit('disk') }),
      () => playwrights('webkit')
    ),
  webkit: async () => ({ driver: 'webdriver', where: 'memory', path: await debianWebKit('memory') })
}

export const names = Object.keys(ways)

/**
 * Those of the targets that can run, and why the others cannot.
 * @param {string[]} asked
 * @returns {Promise<{ targets: Record<string, Target>, missing: Record<string, string> }>}
 */
export async function ensureEngines(asked) {
  /** @type {Record<string, Target>} */
  const targets = {}
  /** @type {Record<string, string>} */
  const missing = {}
  for (const name of asked) {
    try {
      const target = await ways[name]?.()
      if (target) targets[name] = target
    } catch (error) {
      missing[name] = error instanceof Error ? error.message : String(error)
    }
  }
  return { targets, missing }
}
