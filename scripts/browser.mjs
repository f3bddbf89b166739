// Finds a Chromium for the end-to-end tests, and gets one where there is none.
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { run, runTool } from './run.mjs'

const isRoot = process.getuid?.() === 0

const usual = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/opt/google/chrome/chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe'
]

/** Chromium refuses its sandbox to root; the rest keeps it from the network and from what a test has no use for. */
export const browserArgs = [
  '--headless=new',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  ...(isRoot ? ['--no-sandbox'] : [])
]

/**
 * The path of a browser: $INTAB_BROWSER, else Playwright's own, else the system's. Undefined if there is none.
 * @throws if $INTAB_BROWSER names nothing that exists
 */
export function findBrowser() {
  const asked = process.env['INTAB_BROWSER']
  if (asked && !existsSync(asked)) throw new Error(`INTAB_BROWSER is ${asked}, and there is no such file`)
  return asked || [chromium.executablePath(), ...usual].find((path) => existsSync(path))
}

/** Finds a browser, or installs one. Throws with what to do if neither works. */
export async function ensureBrowser() {
  const found = findBrowser()
  if (found) return found
  console.log("No Chromium found; installing Playwright's own …")
  /** What does not work is no end: the next way may. @param {Promise<number>} step */
  const tried = (step) => step.catch((error) => console.warn(error.message))
  await tried(runTool('playwright', ['install', 'chromium'], {}, 5))
  const apt = '/usr/bin/apt-get'
  if (!findBrowser() && isRoot && existsSync(apt)) {
    console.log('Playwright could not install one; trying the Debian package …')
    const env = { DEBIAN_FRONTEND: 'noninteractive' }
    await tried(run(apt, ['update'], env, 3))
    await tried(run(apt, ['install', '-y', '--no-install-recommends', 'chromium'], env, 10))
  }
  const installed = findBrowser()
  if (installed) return installed
  throw new Error('The end-to-end tests need Chromium or Chrome: install one, or set INTAB_BROWSER to its path')
}
