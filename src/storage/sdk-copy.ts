import { IntabError, toError } from '../errors.js'

/** A copy such as the database makes; rejects what it would refuse, before anything is written. */
export function copied<T>(value: T, what: string): T {
  try {
    return structuredClone(value)
  } catch (error) {
    const message = `${what} cannot be kept: ${toError(error).message}; functions, symbols and promises cannot`
    throw new IntabError('not_json', message, undefined, { cause: error })
  }
}
