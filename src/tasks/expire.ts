// One timer for the next expiry; the times themselves are stored.

import { toError } from '../errors.js'
import type { Retention } from '../types.js'
import { at } from '../time.js'

export class Expiry {
  readonly #retention: Retention
  readonly #onerror: (error: Error) => void
  #next = Infinity
  #stop: (() => void) | undefined
  #closed = false

  constructor(retention: Retention, onerror: (error: Error) => void) {
    this.#retention = retention
    this.#onerror = onerror
  }

  /** Sweeps now, and again whenever something is due. */
  async sweep(): Promise<void> {
    this.#next = Infinity
    const next = await this.#retention.sweep()
    if (next !== undefined) this.expect(next)
  }

  /** Something expires then: sweeps no later. */
  expect(time: number): void {
    if (this.#closed || time >= this.#next) return
    this.#stop?.()
    this.#next = time
    this.#stop = at(time, () => {
      this.sweep().catch((error: unknown) => {
        this.#onerror(toError(error))
        this.expect(Date.now() + 30_000)
      })
    })
  }

  close(): void {
    this.#closed = true
    this.#stop?.()
  }
}
