// Writes wait for one another anyhow; those that come while one is under way share the next transaction, since a
// transaction costs more than what is done in it.

/** Of one transaction: a sweep or a large result beside it must not be held up for long. */
const most = 50

export interface Job {
  /** Aborts when nobody waits for it any more. */
  readonly signal: AbortSignal
  /** Never throws: it tells its caller. */
  fail(error: unknown): void
}

export class WriteLine<J extends Job> {
  readonly #perform: (jobs: readonly J[]) => Promise<void>
  #waiting: J[] = []
  #writing = false

  /** `perform` does all or nothing, and rejects with why. */
  constructor(perform: (jobs: readonly J[]) => Promise<void>) {
    this.#perform = perform
  }

  /** Performs the job in its turn, now if it is the only one. */
  async add(job: J): Promise<void> {
    this.#waiting.push(job)
    if (this.#writing) return
    this.#writing = true
    while (this.#waiting.length > 0) await this.#together(this.#waiting.splice(0, most))
    this.#writing = false
  }

  /** Of several, one may be at fault: each has its own try then. */
  async #together(jobs: J[]): Promise<void> {
    const wanted = jobs.filter(({ signal }) => !signal.aborted)
    if (wanted.length === 0) return
    try {
      await this.#perform(wanted)
    } catch (error) {
      if (wanted.length === 1) wanted[0]?.fail(error)
      else for (const job of wanted) await this.#together([job])
    }
  }
}
