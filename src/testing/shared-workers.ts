// Playwright does not list SharedWorkers; Chromium's own protocol does: https://chromedevtools.github.io/devtools-protocol/tot/Target/

import type { Browser, CDPSession, Page } from 'playwright-core'
import { IntabError } from '../errors.js'

/** A running SharedWorker. */
export interface SharedWorkerInfo {
  /** The browser's name for it; new with each worker. */
  id: string
  /** Of its script. */
  url: string
  /** As given to its constructor; '' for none. */
  name: string
  /** The browser context, which is a profile of its own, that it belongs to. */
  context: string
}

/** What a SharedWorker wrote to its console, or did not catch. */
export interface WorkerLine {
  /** The worker that wrote it. */
  worker: SharedWorkerInfo
  /** `log`, `warning`, `error` and so on, as the browser says it; `exception` for what nobody caught. */
  type: string
  /** What it wrote; of an exception with its stack. */
  text: string
}

interface RemoteObject {
  value?: unknown
  description?: string
}

type FromTarget =
  | { method?: undefined }
  | { method: 'Inspector.targetReloadedAfterCrash' }
  | { method: 'Runtime.consoleAPICalled'; params: { type: string; args: RemoteObject[] } }
  | {
      method: 'Runtime.exceptionThrown'
      params: { exceptionDetails: { text: string; exception?: RemoteObject } }
    }

interface Attached extends SharedWorkerInfo {
  /** Undefined when it died before we could attach. */
  session: Promise<string | undefined>
  gone: Promise<void>
  ongone(): void
}

const known = new WeakMap<Browser, Promise<SharedWorkers>>()

/** The SharedWorkers of one browser: what they say, and their end. */
export class SharedWorkers {
  readonly #cdp: CDPSession
  readonly #workers = new Map<string, Attached>()
  readonly #listeners = new Set<(line: WorkerLine) => void>()
  readonly #onstart = new Set<(worker: SharedWorkerInfo) => void>()
  readonly #answers = new Map<number, (result: unknown) => void>()
  #messageId = 0

  private constructor(cdp: CDPSession) {
    this.#cdp = cdp
  }

  /** One per browser; rejects for a browser that is not Chromium. */
  static of(browser: Browser): Promise<SharedWorkers> {
    const found = known.get(browser) ?? SharedWorkers.#watch(browser)
    known.set(browser, found)
    return found
  }

  /** Undefined where the browser cannot tell. */
  static async ofPage(page: Page): Promise<SharedWorkers | undefined> {
    const browser = page.context().browser()
    return browser?.browserType().name() === 'chromium' ? SharedWorkers.of(browser) : undefined
  }

  /** Those of the whole browser. */
  all(): SharedWorkerInfo[] {
    return [...this.#workers.values()].map(({ id, url, name, context }) => ({ id, url, name, context }))
  }

  /** Those of the whole browser, or those that a page can reach: of its origin and context. */
  async list(page?: Page): Promise<SharedWorkerInfo[]> {
    if (page === undefined) return this.all()
    const cdp = await page.context().newCDPSession(page)
    const { targetInfo } = await cdp.send('Target.getTargetInfo')
    await cdp.detach()
    const { origin } = new URL(page.url())
    // Only now: one that was just made may have been told meanwhile.
    return this.all().filter(
      ({ url, context }) => context === targetInfo.browserContextId && new URL(url).origin === origin
    )
  }

  /** Calls back with every line that any of them writes from now on; returns the way to stop. */
  listen(listener: (line: WorkerLine) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Calls back with every worker that starts from now on. */
  onstart(listener: (worker: SharedWorkerInfo) => void): void {
    this.#onstart.add(listener)
  }

  /** Ends a worker as a crash does; resolves when the browser lists it no more. */
  async kill(id: string): Promise<void> {
    const worker = this.#workers.get(id)
    if (worker === undefined) throw new IntabError('worker_gone', 'This worker has already ended')
    // Closed with a session attached, the next worker of that URL starts paused and its page hangs.
    const sessionId = await worker.session
    try {
      if (sessionId !== undefined) await this.#cdp.send('Target.detachFromTarget', { sessionId })
      await this.#cdp.send('Target.closeTarget', { targetId: id })
    } catch (error) {
      // It may have ended by itself in between, which is what was asked for.
      if (this.#workers.has(id)) throw error
    }
    await worker.gone
  }

  /** Says something to a worker in the words of the browser's protocol; resolves with its answer. */
  async send<Result>(id: string, method: string, params: object = {}): Promise<Result> {
    const worker = this.#workers.get(id)
    const sessionId = await worker?.session
    if (worker === undefined || sessionId === undefined) {
      throw new IntabError('worker_gone', 'This worker has already ended')
    }
    return new Promise<Result>((resolve, reject) => {
      const gone = new IntabError('worker_gone', `The worker ended before it answered ${method}`)
      worker.gone.then(() => reject(gone), reject)
      this.#answers.set(this.#messageId + 1, (result) => resolve(result as Result))
      this.#tell(sessionId, method, params).catch(reject)
    })
  }

  static async #watch(browser: Browser): Promise<SharedWorkers> {
    if (browser.browserType().name() !== 'chromium') {
      throw new IntabError(
        'invalid_options',
        'This needs Chromium: no other browser lists its SharedWorkers and can end one'
      )
    }
    const workers = new SharedWorkers(await browser.newBrowserCDPSession())
    const cdp = workers.#cdp
    cdp.on('Target.targetCreated', ({ targetInfo }) => {
      const { targetId: id, type, url, title: name, browserContextId: context = '' } = targetInfo
      if (type !== 'shared_worker') return
      let ongone = (): void => undefined
      const gone = new Promise<void>((resolve) => (ongone = resolve))
      workers.#workers.set(id, { id, url, name, context, session: workers.#attach(id), gone, ongone })
      for (const listener of workers.#onstart) listener({ id, url, name, context })
    })
    cdp.on('Target.targetDestroyed', ({ targetId }) => {
      workers.#workers.get(targetId)?.ongone()
      workers.#workers.delete(targetId)
    })
    cdp.on('Target.receivedMessageFromTarget', (event) => workers.#hear(event))
    await cdp.send('Target.setDiscoverTargets', { discover: true, filter: [{}] })
    return workers
  }

  async #attach(targetId: string): Promise<string | undefined> {
    try {
      const { sessionId } = await this.#cdp.send('Target.attachToTarget', { targetId, flatten: false })
      await this.#tell(sessionId, 'Runtime.enable')
      return sessionId
    } catch {
      // It was gone before we came, and has nothing more to say.
      return undefined
    }
  }

  async #tell(sessionId: string, method: string, params: object = {}): Promise<void> {
    this.#messageId += 1
    const message = JSON.stringify({ id: this.#messageId, method, params })
    await this.#cdp.send('Target.sendMessageToTarget', { sessionId, message })
  }

  #hear({ sessionId, targetId, message }: { sessionId: string; targetId?: string; message: string }): void {
    const heard = JSON.parse(message) as FromTarget & { id?: number; result?: unknown }
    if (heard.id !== undefined) {
      this.#answers.get(heard.id)?.(heard.result)
      this.#answers.delete(heard.id)
    }
    // A worker that died of itself left our session behind, and the next of its name waits for us.
    if (heard.method === 'Inspector.targetReloadedAfterCrash') {
      this.#tell(sessionId, 'Runtime.runIfWaitingForDebugger').catch(() => undefined)
    }
    const worker = this.#workers.get(targetId ?? '')
    const line = lineOf(heard)
    if (worker === undefined || line === undefined) return
    const { id, url, name, context } = worker
    for (const listener of this.#listeners) listener({ worker: { id, url, name, context }, ...line })
  }
}

const textOf = ({ value, description }: RemoteObject): string =>
  description ?? (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined'))

function lineOf(heard: FromTarget): Omit<WorkerLine, 'worker'> | undefined {
  if (heard.method === 'Runtime.consoleAPICalled') {
    const { type, args } = heard.params
    return { type, text: args.map(textOf).join(' ') }
  }
  if (heard.method !== 'Runtime.exceptionThrown') return undefined
  const { text, exception } = heard.params.exceptionDetails
  return { type: 'exception', text: exception === undefined ? text : `${text} ${textOf(exception)}` }
}
