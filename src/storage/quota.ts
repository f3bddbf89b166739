// A full disk, told with how much is used.

import { IntabError, toError } from '../errors.js'
import { within } from './within.js'

export const isQuota = (error: unknown): boolean => toError(error).name === 'QuotaExceededError'

export async function quotaError(cause: unknown): Promise<IntabError> {
  const data = await estimate()
  return new IntabError(
    'quota',
    'The storage of this site is full: delete tasks, or free disk space',
    { ...data },
    { cause }
  )
}

/** Bytes of the origin. Node and insecure pages have no `navigator.storage`; in no case may it hold up the error. */
export async function estimate(): Promise<{ usage?: number; quota?: number }> {
  try {
    const { usage, quota } = await within(1_000, async () => (await globalThis.navigator?.storage?.estimate()) ?? {})
    return { ...(usage === undefined ? {} : { usage }), ...(quota === undefined ? {} : { quota }) }
  } catch {
    return {}
  }
}
