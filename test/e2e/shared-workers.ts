// The SharedWorkers of one test, by a part of their URL.

import type { BrowserContext } from '@playwright/test'
import { SharedWorkers as BrowserWorkers, type SharedWorkerInfo } from '../../src/testing/shared-workers.js'

export class SharedWorkers {
  readonly #workers: BrowserWorkers

  private constructor(workers: BrowserWorkers) {
    this.#workers = workers
  }

  /** Reports what goes uncaught in any SharedWorker from now on. */
  static async watch(context: BrowserContext, report: (problem: string) => void): Promise<SharedWorkers> {
    const browser = context.browser()
    if (!browser) throw new Error('This context has no browser of its own')
    const workers = await BrowserWorkers.of(browser)
    workers.listen(({ type, text }) => {
      if (type === 'exception') report(`worker: ${text}`)
    })
    return new SharedWorkers(workers)
  }

  /** The URLs of those that live. */
  urls(): string[] {
    return this.#workers.all().map(({ url }) => url)
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

  #find(url: string): SharedWorkerInfo[] {
    const found = this.#workers.all().filter((worker) => worker.url.includes(url))
    if (found.length === 0) throw new Error(`No SharedWorker has '${url}' in its URL`)
    return found
  }
}
