// The clock of the workers, moved by a test. Playwright's own `page.clock` does not reach a SharedWorker.

import type { Page } from 'playwright-core'
import { IntabError } from '../errors.js'
import { type SharedWorkerInfo, SharedWorkers } from './shared-workers.js'
import { runInWorker, workersOf } from './workers.js'

/** How far the clocks of an origin's workers are ahead, in ms, by context and origin. */
const clocks = new WeakMap<SharedWorkers, Map<string, number>>()

/** What the furthest Date lies after 1970, in ms: https://tc39.es/ecma262/#sec-time-values-and-time-range */
const furthest = 8.64e15

const keyOf = ({ context, url }: SharedWorkerInfo): string => `${context} ${new URL(url).origin}`

/**
 * Moves the clocks of the SharedWorkers of the page's origin and context ahead by `ms` milliseconds: sleeps, timeouts,
 * graces and expiry of intab that are due by then happen at once. Workers that start later get the same clock. The app's
 * own timers, intab's deadlines for IndexedDB, and the page's clock (see `page.clock`) are not moved. Chromium only.
 * Rejects with `invalid_options` unless `ms` is a finite, non-negative number within the time that a `Date` has, with `worker_gone` when there is no
 * SharedWorker.
 */
export async function advanceClock(page: Page, ms: number): Promise<void> {
  if (!Number.isFinite(ms) || ms < 0) {
    throw new IntabError(
      'invalid_options',
      `advanceClock takes a finite, non-negative number of milliseconds (got ${String(ms)}): a clock cannot be turned back`
    )
  }
  const { all, found } = await workersOf(page)
  const ahead = aheadIn(all)
  const keys = new Set(found.map(keyOf))
  const most = furthest - Date.now() - Math.max(...[...keys].map((key) => ahead.get(key) ?? 0))
  if (ms > most) {
    throw new IntabError(
      'invalid_options',
      `A Date reaches no further than ${most} ms from now (got ${ms}): advance by less`
    )
  }
  for (const key of keys) ahead.set(key, (ahead.get(key) ?? 0) + ms)
  await Promise.all(found.map((worker) => runInWorker(all, worker, moveClock, ahead.get(keyOf(worker)) ?? 0)))
}

/** How far the clocks of the page's workers are ahead, in ms; 0 in other browsers, which have no such clocks. */
export async function aheadOf(page: Page): Promise<number> {
  const all = await SharedWorkers.ofPage(page)
  const ahead = all && clocks.get(all)
  if (ahead === undefined) return 0
  return Math.max(0, ...((await all?.list(page)) ?? []).map((worker) => ahead.get(keyOf(worker)) ?? 0))
}

function aheadIn(all: SharedWorkers): Map<string, number> {
  const known = clocks.get(all)
  if (known !== undefined) return known
  const ahead = new Map<string, number>()
  clocks.set(all, ahead)
  all.onstart((worker) => {
    const ms = ahead.get(keyOf(worker))
    // It can only fail because the worker has ended, which then needs no clock.
    if (ms !== undefined) runInWorker(all, worker, moveClock, ms).catch(() => undefined)
  })
  return ahead
}

/** Runs in the worker. */
function moveClock(ahead: number): void {
  const scope: { intabClock?: { ahead: number } } & typeof globalThis = globalThis
  if (scope.intabClock === undefined) {
    const clock = (scope.intabClock = { ahead })
    const wall = Date.now.bind(Date)
    const steady = performance.now.bind(performance)
    Date.now = () => wall() + clock.ahead
    performance.now = () => steady() + clock.ahead
    scope.Date = new Proxy(Date, {
      construct: (target, args, newTarget) =>
        Reflect.construct(target, args.length > 0 ? args : [Date.now()], newTarget) as Date,
      apply: () => new Date().toString()
    })
  }
  scope.intabClock.ahead = ahead
  dispatchEvent(new Event('intab:clock'))
}
