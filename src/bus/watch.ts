const done: IteratorReturnResult<undefined> = { done: true, value: undefined }
const tick: IteratorYieldResult<void> = { done: false, value: undefined }

type Step = IteratorResult<void, undefined>

/** Ticks of one task: due at once, merged while nobody asks, over with the signal. */
export class Watch implements AsyncIterableIterator<void> {
  readonly #signal: AbortSignal
  readonly #onend: () => void
  readonly #waiting: ((step: Step) => void)[] = []
  readonly #abort = (): void => this.end()
  #due = true
  #ended = false

  constructor(signal: AbortSignal, onend: () => void) {
    this.#signal = signal
    this.#onend = onend
    if (signal.aborted) this.#ended = true
    else signal.addEventListener('abort', this.#abort)
  }

  get ended(): boolean {
    return this.#ended
  }

  tick(): void {
    const resolve = this.#waiting.shift()
    if (resolve === undefined) this.#due = true
    else resolve(tick)
  }

  end(): void {
    if (this.#ended) return
    this.#ended = true
    this.#signal.removeEventListener('abort', this.#abort)
    this.#onend()
    for (const resolve of this.#waiting.splice(0)) resolve(done)
  }

  next(): Promise<Step> {
    if (this.#ended) return Promise.resolve(done)
    if (!this.#due) return new Promise((resolve) => this.#waiting.push(resolve))
    this.#due = false
    return Promise.resolve(tick)
  }

  return(): Promise<Step> {
    this.end()
    return Promise.resolve(done)
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}
