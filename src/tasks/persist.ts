// A store that is busy may answer soon; whoever waits for a task should not hear of it at once.

import { IntabError } from '../errors.js'
import { pause as wait } from '../time.js'

const pauses = [100, 1000]

/** What another try could not change: intab's own refusals, except that the store was busy. */
const isForGood = (error: unknown): boolean => error instanceof IntabError && error.code !== 'storage_busy'

/** Tries three times in about a second, and then rejects with the last error; a signal that aborts ends it at once. */
export async function persist<T>(act: (again: boolean) => Promise<T>, signal: AbortSignal): Promise<T> {
  let again = false
  for (const pause of pauses) {
    try {
      return await act(again)
    } catch (error) {
      if (isForGood(error)) throw error
      await wait(pause, signal)
      again = true
    }
  }
  return act(again)
}
