// What a host wrote, checked when it is defined: a mistake must not wait for the first call to be found.

import { IntabError } from '../errors.js'

export const invalid = (message: string): IntabError => new IntabError('invalid_options', message)

/** A value in an error: short, and of a kind that the reader recognises. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return `'${value.length > 60 ? `${value.slice(0, 60)}…` : value}'`
  if (typeof value === 'function') return `a function`
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}

/** Throws `invalid_options` for the first key that is not known, with the known one that is spelled most like it. */
export function checkKeys(what: string, options: object, known: Readonly<Record<string, unknown>>): void {
  for (const key of Object.keys(options)) {
    if (Object.hasOwn(known, key)) continue
    throw invalid(`${what} has no option '${key}'${suggestion(key, Object.keys(known))}`)
  }
}

/** What an option must be, and whether a value is that. */
export type Kind = readonly [must: string, holds: (value: unknown) => boolean]

const isNumber = (value: unknown, least: number): boolean => typeof value === 'number' && value >= least

export const kinds = {
  text: ['a non-empty string', (value) => typeof value === 'string' && value !== ''],
  words: ['a string', (value) => typeof value === 'string'],
  call: ['a function', (value) => typeof value === 'function'],
  list: ['an array', Array.isArray],
  group: ['an object', (value) => typeof value === 'object' && value !== null && !Array.isArray(value)],
  flag: ['true or false', (value) => typeof value === 'boolean'],
  count: ['a number of at least 1', (value) => isNumber(value, 1)],
  duration: ['a non-negative number of milliseconds', (value) => isNumber(value, 0)],
  retention: [
    'a non-negative number of milliseconds, or null',
    (value) => value === null || (isNumber(value, 0) && value !== Infinity)
  ],
  durability: ["'relaxed' or 'strict'", (value) => value === 'relaxed' || value === 'strict'],
  any: ['anything', () => true]
} satisfies Record<string, Kind>

/** As `checkKeys`, and throws `invalid_options` for the first option that is not of its kind. */
export function checkKinds(what: string, options: object, known: Readonly<Record<string, Kind>>): void {
  checkKeys(what, options, known)
  for (const [key, value] of Object.entries(options) as [string, unknown][]) {
    const [must, holds] = known[key] ?? kinds.any
    if (value !== undefined && !holds(value)) throw invalid(`${what}: ${key} must be ${must} (got ${shown(value)})`)
  }
}

/** `: did you mean '…'?` for the word that differs by a typo or two; '' when none does. */
export function suggestion(word: string, words: Iterable<string>): string {
  let best: string | undefined
  let least = Math.max(1, Math.floor(word.length / 3)) + 1
  for (const other of words) {
    const edits = distance(word.toLowerCase(), other.toLowerCase())
    if (edits < least) [best, least] = [other, edits]
  }
  return best === undefined ? '' : `: did you mean '${best}'?`
}

/** Levenshtein's, one row at a time. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
