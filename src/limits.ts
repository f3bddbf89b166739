import type { Limits } from './types.js'

/** What holds where a server is told nothing else. */
export const defaultLimits: Limits = {
  unfinished: 100,
  kept: 1_000,
  messages: 1_000,
  bytes: 8 * 1024 * 1024,
  page: 50,
  operations: 5_000
}
