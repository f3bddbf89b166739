import type { Left } from '../types.js'

const done: IteratorReturnResult<undefined> = { done: true, value: undefined }
const tick = (value: Left | undefined): Step => ({ done: false, value })

type Step = IteratorResult<Left | undefined, undefined>

/** Ticks of one task: due at once, merged while nobody asks, over with the signal. */
export class Watch implements AsyncIterableIterator<Left | undefined> {
  readonly #signal: AbortSignal
  readonly #onend: () => void
  readonly #waiting: ((step: Step) => void)[] = []
  readonly #abort = (): void => this.end()
  #due: Step | undefined
  #ended = false

  /** `first` is what the first tick tells. */
  constructor(signal: AbortSignal, onend: () => void, first?: Left) {
    this.#due = tick(first)
    this.#signal = signal
    this.#onend = onend
    if (signal.aborted) this.#ended = true
    else signal.addEventListener('abort', this.#abort)
  }

  get ended(): boolean {
    return this.#ended
  }

  /** Of several that nobody asked for, one is left, and what they told together only the store knows. */
  tick(left?: Left): void {
    const resolve = this.#waiting.shift()
    if (resolve === undefined) this.#due = tick(this.#due === undefined ? left : undefined)
    else resolve(tick(left))
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
    const due = this.#due
    if (due === undefined) return new Promise((resolve) => this.#waiting.push(resolve))
    this.#due = undefined
    return Promise.resolve(due)
  }

  return(): Promise<Step> {
    this.end()
    return Promise.resolve(done)
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}
