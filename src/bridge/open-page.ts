// A browser of its own, with the page whose server is bridged.

import { existsSync } from 'node:fs'
import type { BrowserContext, Page } from 'playwright-core'
import { IntabError, toError } from '../errors.js'

export interface OpenPageOptions {
  url: string
  /** Path of a Chromium. Default: $INTAB_BROWSER, Playwright's own, or the system's. */
  browser?: string
  headed?: boolean
  /** Folder of a profile, so that tasks outlive the bridge. Default: one that goes with it. */
  profile?: string
  /** Called before the page is loaded. */
  prepare?(page: Page): Promise<unknown>
  /** Closes the browser again while the page loads. */
  signal?: AbortSignal
}

const usual = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe'
]

/** Rejects with `invalid_options` when there is no browser, or no page at the URL. */
export async function openPage(options: OpenPageOptions): Promise<{ page: Page; context: BrowserContext }> {
  const { url, headed = false, profile = '', prepare, signal } = options
  const { chromium } = await import('playwright-core').catch((cause: unknown) => {
    throw new IntabError('invalid_options', 'The bridge needs Playwright: npm install playwright-core', undefined, {
      cause
    })
  })
  const executablePath = find(options.browser ?? process.env['INTAB_BROWSER'], chromium.executablePath())
  // Chromium refuses its sandbox to root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  // The process that started the browser ends it, once what is open has been answered.
  const handleSignals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false }
  const context = await chromium
    .launchPersistentContext(profile, { executablePath, headless: !headed, args, ...handleSignals })
    .catch((cause: unknown) => {
      const message = `${executablePath} did not start: ${firstLine(cause)}`
      throw new IntabError('invalid_options', message, undefined, { cause })
    })
  const close = (): void => void context.close()
  signal?.addEventListener('abort', close)
  try {
    signal?.throwIfAborted()
    const page = context.pages()[0] ?? (await context.newPage())
    await prepare?.(page)
    await page.goto(url)
    return { page, context }
  } catch (cause) {
    await context.close()
    if (signal?.aborted) throw new IntabError('closed', 'Stopped before the page was loaded', undefined, { cause })
    throw new IntabError('invalid_options', `${url} did not load: ${firstLine(cause)}`, undefined, { cause })
  } finally {
    signal?.removeEventListener('abort', close)
  }
}

function find(asked: string | undefined, own: string): string {
  const found = asked ?? [own, ...usual].find((path) => existsSync(path))
  if (found !== undefined && existsSync(found)) return found
  throw new IntabError(
    'invalid_options',
    `No browser found${asked ? ` at ${asked}` : ''}: install one (npx playwright-core install chromium), or pass --browser PATH`
  )
}

const firstLine = (thrown: unknown): string => toError(thrown).message.split('\n')[0] ?? ''
