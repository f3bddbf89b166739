// Whether anybody is there: a client over HTTP tells of its end only by its streams, and of that only to those who wait.

/** Milliseconds. */
export interface Patience {
  /** A client without a stream for this long shows nothing to anybody. */
  silence: number
  /** One that is not heard of for this long has gone. */
  idle: number
}

export interface PresenceEvents {
  /** No stream is open, and none was for a while. */
  away(): void
  back(): void
  expired(): unknown
}

/** Begins with the first request. */
export class Presence {
  /** True from `away` to `back`. */
  away = false
  readonly #patience: Patience
  readonly #events: PresenceEvents
  #streams = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(patience: Patience, events: PresenceEvents) {
    this.#patience = patience
    this.#events = events
  }

  /** A request came; the returned function is called when its response is written or its reader gone. */
  enter(): () => void {
    this.#streams += 1
    clearTimeout(this.#timer)
    if (this.away) {
      this.away = false
      this.#events.back()
    }
    let left = false
    return () => {
      if (left) return
      left = true
      this.#streams -= 1
      if (this.#streams === 0) this.#wait()
    }
  }

  end(): void {
    clearTimeout(this.#timer)
    // Streams that end after this wait for nothing.
    this.#streams = Infinity
  }

  #wait(): void {
    const { silence, idle } = this.#patience
    this.#timer = setTimeout(() => {
      this.#timer = setTimeout(() => this.#events.expired(), Math.max(0, idle - silence))
      this.away = true
      this.#events.away()
    }, silence)
  }
}
