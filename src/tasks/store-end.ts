// What a handler came to is stored, whatever the storage does meanwhile.

import { IntabError } from '../errors.js'
import { backOff, pause } from '../time.js'
import { type End, endOfThrow } from './outcome.js'

export interface Storing {
  /** Aborts when nobody needs the end any more: another one is stored, or this worker gives up. */
  signal: AbortSignal
  /** Told of the first failure of each kind; may write, and is waited for. */
  onfailure(error: unknown): Promise<void> | void
}

const codeOf = (error: unknown): string => (error instanceof IntabError ? error.code : 'unknown')

/**
 * Stores the end, and that end: what fails is tried again, with pauses of up to 10 s, for as long as it takes. Only a result
 * that no try could store (`not_json`, `too_large`) becomes the end that says so. Resolves with what `store` resolves with;
 * with undefined when the signal aborts, or the database is given up.
 */
export async function storeEnd<T>(
  end: End,
  store: (end: End) => Promise<T>,
  { signal, onfailure }: Storing
): Promise<T | undefined> {
  const told = new Set<string>()
  for (let tries = 1; !signal.aborted; tries += 1) {
    try {
      return await store(end)
    } catch (error) {
      const code = codeOf(error)
      if (code === 'superseded' || code === 'closed') {
        if (!signal.aborted) await onfailure(error)
        return undefined
      }
      if (code === 'not_json' || code === 'too_large') {
        end = endOfThrow(error)
        continue
      }
      if (!told.has(code)) await onfailure(error)
      told.add(code)
      await pause(backOff(tries), signal).catch(() => undefined)
    }
  }
  return undefined
}
