// Browsers slow down the timers of hidden pages, to one turn a second and later to one a minute:
// https://developer.mozilla.org/docs/Web/API/Window/setTimeout#reasons_for_delays_longer_than_specified
// A page waits hidden for most of its reconnects, so it counts short waits by requests for a lock that nobody holds:
// the browser answers each within a millisecond or two, to hidden pages as well.

import { elapsed } from '../time.js'
import type { Locks } from '../types.js'
import { afterTurn } from './turn.js'

/** Longer waits are left to the timer: counting them would cost more than they are late; milliseconds. */
const longest = 2_000

/** Calls back after a duration, which a hidden page keeps as well when it is short; returns the way to stop. */
export function onTime(milliseconds: number, act: () => void, locks: Locks): () => void {
  const end = elapsed() + milliseconds
  let over = false
  const stop = (): void => {
    over = true
    clearTimeout(timer)
  }
  const finish = (): void => {
    if (over) return
    stop()
    act()
  }
  const count = (): void => {
    if (over) return
    if (elapsed() >= end) return finish()
    // Where there are no locks the timer is left.
    locks.free('intab:tick').then(
      () => afterTurn(count),
      () => undefined
    )
  }
  const timer = setTimeout(finish, milliseconds)
  if (milliseconds <= longest && isHidden()) count()
  return stop
}

const isHidden = (): boolean => 'document' in globalThis && document.visibilityState === 'hidden'
