// Node has no IndexedDB; the stores' tests, and whatever runs a whole server in Node, use this one.
import 'fake-indexeddb/auto'
import { vi } from 'vitest'

// Its default of a second is a grace on a slow machine, and has no place in vitest's configuration.
const { waitFor } = vi
Object.assign(vi, {
  waitFor: ((act, options) =>
    waitFor(
      act,
      typeof options === 'object' ? { timeout: 60_000, ...options } : { timeout: options ?? 60_000 }
    )) satisfies typeof waitFor
})
