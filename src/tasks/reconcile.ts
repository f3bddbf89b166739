// One loop compares what is stored with who is alive, and repairs the difference.

import { toError } from '../errors.js'
import { after, backOff } from '../time.js'

/** Compares and repairs one kind of difference; must find by itself what is left to do, since it may be tried at any time. */
export type Duty = () => Promise<void>

/** Every duty is done this often, in ms, whatever woke nobody. */
const interval = 30_000

export interface ReconcilerOptions {
  onerror(error: Error, during: string): void
  /** Called before the duties every 30 seconds. */
  oninterval(): void
}

/** Duties by name. Each is done when it is named, after a failure of its own until it succeeds, and every 30 seconds. */
export class Reconciler<Name extends string> {
  readonly #duties: Readonly<Record<Name, Duty>>
  readonly #options: ReconcilerOptions
  readonly #doing = new Map<Name, Promise<void>>()
  readonly #again = new Set<Name>()
  readonly #failed = new Map<Name, { tries: number; stop(): void }>()
  #stop: () => void
  #closed = false

  constructor(duties: Readonly<Record<Name, Duty>>, options: ReconcilerOptions) {
    this.#duties = duties
    this.#options = options
    this.#stop = after(interval, () => this.#pass())
  }

  /**
   * Resolves when these duties have been tried from the beginning, after now; never rejects. One that failed is tried again
   * when its pause is over, and no sooner: what names it may come of the same trouble.
   */
  async run(...names: Name[]): Promise<void> {
    await Promise.all(names.filter((name) => !this.#isPausing(name)).map((name) => this.#start(name)))
  }

  /** The same, for whoever does not wait. */
  soon(...names: Name[]): void {
    this.run(...names).catch((error: unknown) => this.#options.onerror(toError(error), 'reconciling'))
  }

  close(): void {
    this.#closed = true
    this.#stop()
    for (const { stop } of this.#failed.values()) stop()
  }

  #pass(): void {
    this.#stop = after(interval, () => this.#pass())
    this.#options.oninterval()
    this.soon(...(Object.keys(this.#duties) as Name[]))
  }

  #isPausing(name: Name): boolean {
    return this.#failed.has(name) && !this.#doing.has(name)
  }

  #start(name: Name): Promise<void> {
    const doing = this.#doing.get(name)
    if (doing !== undefined) {
      this.#again.add(name)
      return doing
    }
    const done = Promise.resolve()
      .then(() => this.#do(name))
      .finally(() => this.#doing.delete(name))
    this.#doing.set(name, done)
    return done
  }

  async #do(name: Name): Promise<void> {
    do {
      this.#again.delete(name)
      await this.#try(name)
    } while (this.#again.has(name) && !this.#failed.has(name))
  }

  async #try(name: Name): Promise<void> {
    if (this.#closed) return
    const { tries = 0 } = this.#failed.get(name) ?? {}
    try {
      await this.#duties[name]()
      this.#failed.delete(name)
    } catch (error) {
      if (this.#closed) return
      this.#options.onerror(toError(error), `reconciling ${name}, which is tried again`)
      const stop = after(backOff(tries + 1), () => void this.#start(name))
      this.#failed.set(name, { tries: tries + 1, stop })
    }
  }
}

/** Acts on one after the other; one that fails holds up none of the others. Rejects with the first failure. */
export async function each<T>(items: Iterable<T>, act: (item: T) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = []
  for (const item of items) {
    try {
      await act(item)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}
