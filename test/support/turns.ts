// Turns of the event loop instead of time: whatever works without a timer is done after some of them.

import { vi } from 'vitest'

export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Resolves with the promise's value, or with 'hung' when it is still pending after so many turns. */
export async function settledWithin<T>(promise: Promise<T>, turns = 400): Promise<T | 'hung'> {
  let done = false
  const end = (): void => {
    done = true
  }
  promise.then(end, end)
  for (let i = 0; i < turns && !done; i++) await turn()
  return done ? promise : 'hung'
}

/** Less than the deadline of the storage and any pause, so that what a timer begins is done before the next one fires. */
const step = 5_000

/** Lets the fake time of setTimeout pass, step by step: what is under way arrives before and after each. */
export async function pass(ms: number): Promise<void> {
  for (let left = ms; ; left -= step) {
    for (let i = 0; i < 100; i++) await turn()
    if (left <= 0) return
    await vi.advanceTimersByTimeAsync(Math.min(left, step))
  }
}
