// The SharedWorkers of one test, by a part of their URL.

import type { BrowserContext } from '@playwright/test'
import { SharedWorkers as BrowserWorkers, type SharedWorkerInfo } from '../../src/testing/shared-workers.js'

export class SharedWorkers {
  readonly #workers: BrowserWorkers
  /** Of tests before this one: a worker may live on after its last page, as `extendedLifetime` says. */
  readonly #others: Set<string>
  /** Ends the reports. */
  readonly stop: () => void

  private constructor(workers: BrowserWorkers, report: (problem: string) => void) {
    this.#workers = workers
    this.#others = new Set(workers.all().map(({ id }) => id))
    this.stop = workers.listen(({ worker, type, text }) => {
      if (type === 'exception' && !this.#others.has(worker.id)) report(`worker: ${text}`)
    })
  }

  /** Reports what goes uncaught in any SharedWorker of the test from now on. */
  static async watch(context: BrowserContext, report: (problem: string) => void): Promise<SharedWorkers> {
    const browser = context.browser()
    if (!browser) throw new Error('This context has no browser of its own')
    return new SharedWorkers(await BrowserWorkers.of(browser), report)
  }

  /** The URLs of those that live. */
  urls(): string[] {
    return this.#all().map(({ url }) => url)
  }

  /** Ends the workers whose URL contains the text; resolves when the browser lists them no more. */
  async kill(url: string): Promise<void> {
    const victims = this.#find(url)
    await Promise.all(victims.map(({ id }) => this.#workers.kill(id)))
  }

  /** Says something to the one worker whose URL contains the text, in the words of the browser's protocol. */
  async send<Result>(url: string, method: string, params: object = {}): Promise<Result> {
    const [worker] = this.#find(url)
    return this.#workers.send<Result>(worker?.id ?? '', method, params)
  }

  #all(): SharedWorkerInfo[] {
    return this.#workers.all().filter(({ id }) => !this.#others.has(id))
  }

  #find(url: string): SharedWorkerInfo[] {
    const found = this.#all().filter((worker) => worker.url.includes(url))
    if (found.length === 0) throw new Error(`No SharedWorker has '${url}' in its URL`)
    return found
  }
}
