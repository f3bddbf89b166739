// Tabs that are hidden or frozen. Playwright keeps every page visible, and Chromium freezes no visible page, so the page
// is told, and the debugger stops its scripts: https://developer.chrome.com/docs/web-platform/page-lifecycle-api

import type { CDPSession, Page } from 'playwright-core'
import { IntabError } from '../errors.js'

/** Runs no script: whatever asks such a page would wait for ever. */
const frozen = new WeakSet<Page>()

/** Throws `invalid_options` for a page that could not hear what it is asked. */
export function refuseFrozen(page: Page): void {
  if (!frozen.has(page)) return
  throw new IntabError('invalid_options', 'This tab is frozen: first call the function that freezeTab resolved with')
}

/**
 * Tells the page that its tab is in the background: `document.visibilityState` is `hidden`, and `visibilitychange` is
 * fired. Timers are not slowed down. Resolves with the way to show it again, which it is when all that hid it have ended,
 * or when it is reloaded. Rejects with `invalid_options` while the tab is frozen.
 */
export async function hideTab(page: Page): Promise<() => Promise<void>> {
  refuseFrozen(page)
  const id = crypto.randomUUID()
  await page.evaluate(setVisibility, [id, 'hidden'] as const)
  return async () => {
    if (!page.isClosed()) await page.evaluate(setVisibility, [id, 'visible'] as const)
  }
}

/**
 * Freezes the tab as a browser does to save power: it is hidden, gets the event `freeze`, and then runs no script and
 * answers no message, also none of Playwright. Its locks and ports stay. Resolves with the way to resume it, after which
 * it gets `resume` and is visible again. Chromium only; rejects with `invalid_options` in other browsers, and while the
 * tab is frozen.
 */
export async function freezeTab(page: Page): Promise<() => Promise<void>> {
  refuseFrozen(page)
  const cdp = await debuggerOf(page)
  const hiding = hideTab(page)
  frozen.add(page)
  const show = await hiding
  await page.evaluate(() => document.dispatchEvent(new Event('freeze')))
  await cdp.send('Debugger.enable')
  const paused = new Promise((resolve) => cdp.once('Debugger.paused', resolve))
  await cdp.send('Debugger.pause')
  // The pause begins with the next statement. It answers once the tab is resumed, or not at all when that is closed.
  cdp.send('Runtime.evaluate', { expression: '0' }).catch(() => undefined)
  await paused
  return async () => {
    if (!frozen.delete(page) || page.isClosed()) return
    // Ends the pause.
    await cdp.detach()
    await page.evaluate(() => document.dispatchEvent(new Event('resume')))
    await show()
  }
}

async function debuggerOf(page: Page): Promise<CDPSession> {
  const name = page.context().browser()?.browserType().name()
  if (name === 'chromium') return page.context().newCDPSession(page)
  throw new IntabError('invalid_options', `freezeTab needs Chromium (this is ${name ?? 'an unknown browser'})`)
}

/** Runs in the page, which is hidden for as long as one call wants it to be. */
function setVisibility([id, wanted]: readonly [id: string, wanted: 'hidden' | 'visible']): void {
  const scope: { intabHidden?: Set<string> } & typeof globalThis = globalThis
  const hiding = (scope.intabHidden ??= new Set())
  if (wanted === 'hidden') hiding.add(id)
  else hiding.delete(id)
  const state = hiding.size > 0 ? 'hidden' : 'visible'
  if (state === document.visibilityState) return
  for (const [name, value] of Object.entries({ visibilityState: state, hidden: state === 'hidden' })) {
    Object.defineProperty(document, name, { value, configurable: true })
  }
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
}
