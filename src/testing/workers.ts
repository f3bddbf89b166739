// The SharedWorkers of a browser, for tests that count or kill them. Chromium only.

import type { Browser, Page } from 'playwright-core'
import { IntabError } from '../errors.js'
import type { Json } from '../types.js'
import type { SharedWorkerInfo, WorkerLine } from './shared-workers.js'
import { SharedWorkers } from './shared-workers.js'

/** The SharedWorkers that live, in all contexts. Rejects with `invalid_options` in a browser that is not Chromium. */
export async function workers(browser: Browser): Promise<SharedWorkerInfo[]> {
  return (await SharedWorkers.of(browser)).list()
}

/** Which workers `killWorker` ends; default all of the page's origin and context. */
export interface KillWorkerOptions {
  /** Only workers whose URL contains this. */
  url?: string
  /** Only workers of this name. */
  name?: string
}

/**
 * Ends the SharedWorkers of the page's origin and context, as a crash does; resolves with them once they are gone.
 * Rejects with `worker_gone` when there is none that is meant, `invalid_options` in a browser that is not Chromium.
 */
export async function killWorker(page: Page, { url = '', name }: KillWorkerOptions = {}): Promise<SharedWorkerInfo[]> {
  const all = await SharedWorkers.of(browserOf(page))
  const found = await all.list(page)
  const victims = found.filter((worker) => worker.url.includes(url) && (name === undefined || worker.name === name))
  if (victims.length === 0) {
    const list = found.map((worker) => `${worker.name || '(no name)'} at ${worker.url}`).join(', ')
    const message =
      found.length === 0
        ? `${page.url()} has no SharedWorker that could be killed`
        : `None of the SharedWorkers of ${page.url()} is meant by ${JSON.stringify({ url, name })}: ${list}`
    throw new IntabError('worker_gone', message)
  }
  await Promise.all(victims.map(({ id }) => all.kill(id)))
  return victims
}

/** Calls back with what the SharedWorkers of the page's browser write to their consoles; resolves with the way to stop. */
export async function onWorkerConsole(page: Page, listener: (line: WorkerLine) => void): Promise<() => void> {
  return (await SharedWorkers.of(browserOf(page))).listen(listener)
}

/**
 * Runs a function in a SharedWorker by the browser's protocol, which no Content-Security-Policy stops. The function is
 * sent as text: it can use its arguments and globals alone.
 */
export async function runInWorker<Args extends Json[]>(
  all: SharedWorkers,
  worker: SharedWorkerInfo,
  act: (...args: Args) => void,
  ...args: Args
): Promise<void> {
  const expression = `(${act.toString()})(...${JSON.stringify(args)})`
  const { exceptionDetails: failed } = await all.send<Evaluated>(worker.id, 'Runtime.evaluate', { expression })
  if (failed === undefined) return
  throw new IntabError('worker_failed', `${worker.url}: ${failed.exception?.description ?? failed.text}`)
}

/** Those that the page can reach; rejects with `worker_gone` when there is none. */
export async function workersOf(page: Page): Promise<{ all: SharedWorkers; found: SharedWorkerInfo[] }> {
  const all = await SharedWorkers.of(browserOf(page))
  const found = await all.list(page)
  if (found.length > 0) return { all, found }
  throw new IntabError(
    'worker_gone',
    `${page.url()} has no SharedWorker: load the page and wait until it is connected, then call again`
  )
}

interface Evaluated {
  exceptionDetails?: { text: string; exception?: { description?: string } }
}

function browserOf(page: Page): Browser {
  const browser = page.context().browser()
  if (browser !== null) return browser
  throw new IntabError(
    'invalid_options',
    'The browser of this page is unknown: create its context with browser.newContext()'
  )
}
