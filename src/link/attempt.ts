// Waits that always end. AbortSignal.any and AbortSignal.timeout would do, were they in every browser with SharedWorkers.

import type { Locks } from '../types.js'
import { onTime } from './on-time.js'

/** How long after a lock came free messages may still arrive, which take another road; milliseconds. */
export const drain = 50

/** Resolves after a time, also in a hidden page; rejects with the signal's reason when it aborts first. */
export function pause(milliseconds: number, signal: AbortSignal, locks: Locks): Promise<void> {
  const attempt = new Attempt(signal)
  return attempt.settle(new Promise<void>((resolve) => attempt.after(milliseconds, resolve, locks)))
}

/** Something that may be given up, for reasons of its own or of its parent. */
export class Attempt {
  readonly #controller = new AbortController()
  readonly #parent: AbortSignal
  #stop = (): void => undefined
  readonly #onabort = (): void => this.fail(this.#parent.reason)

  constructor(parent: AbortSignal) {
    this.#parent = parent
    if (parent.aborted) this.#onabort()
    else parent.addEventListener('abort', this.#onabort)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  fail(reason: unknown): void {
    this.#controller.abort(reason)
  }

  /** Sets the one timer of this attempt, in place of the one before. */
  after(milliseconds: number, act: () => void, locks: Locks): void {
    this.#stop()
    this.#stop = onTime(milliseconds, act, locks)
  }

  /** What the promise comes to, or the reason of the failure if that is first. */
  wait<T>(promise: Promise<T>): Promise<T> {
    const { signal } = this
    return new Promise<T>((resolve, reject) => {
      const onabort = (): void => reject(signal.reason)
      if (signal.aborted) onabort()
      signal.addEventListener('abort', onabort)
      promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onabort))
    })
  }

  /** The same, and the attempt is over. */
  settle<T>(promise: Promise<T>): Promise<T> {
    return this.wait(promise).finally(() => this.end())
  }

  /** Takes off its timer and listener, and ends whatever else waits for its signal. */
  end(): void {
    this.#controller.abort(new DOMException('Over', 'AbortError'))
    this.#stop()
    this.#parent.removeEventListener('abort', this.#onabort)
  }
}
