// Playwright does not list SharedWorkers; the browser's own protocol does: https://chromedevtools.github.io/devtools-protocol/tot/Target/
import type { BrowserContext, CDPSession } from '@playwright/test'

interface Message {
  id?: number
  result?: unknown
  method?: string
  params?: { exceptionDetails: { text: string; exception?: { description?: string; value?: unknown } } }
}

interface Living {
  url: string
  /** Undefined for a worker that died before we could attach. */
  session: Promise<string | undefined>
  gone: Promise<void>
  ongone(): void
}

/** The SharedWorkers of a browser: their uncaught errors, and their end. */
export class SharedWorkers {
  readonly #browser: CDPSession
  readonly #context: BrowserContext
  readonly #report: (problem: string) => void
  /** By target id. */
  readonly #living = new Map<string, Living>()
  readonly #answers = new Map<number, (result: unknown) => void>()
  #messageId = 0

  private constructor(browser: CDPSession, context: BrowserContext, report: (problem: string) => void) {
    this.#browser = browser
    this.#context = context
    this.#report = report
  }

  /** Reports what goes uncaught in any SharedWorker from now on. */
  static async watch(context: BrowserContext, report: (problem: string) => void): Promise<SharedWorkers> {
    const browser = context.browser()
    if (!browser) throw new Error('This context has no browser of its own')
    const workers = new SharedWorkers(await browser.newBrowserCDPSession(), context, report)
    await workers.#start()
    return workers
  }

  /** The URLs of those that live. */
  urls(): string[] {
    return [...this.#living.values()].map(({ url }) => url)
  }

  /** Ends the workers whose URL contains the text; resolves when the browser lists them no more. */
  async kill(url: string): Promise<void> {
    const victims = [...this.#living].filter(([, worker]) => worker.url.includes(url))
    if (victims.length === 0) throw new Error(`No SharedWorker has '${url}' in its URL`)
    await Promise.all(victims.map(([targetId, worker]) => this.#close(targetId, worker)))
  }

  /** Says something to the one worker whose URL contains the text, in the words of the browser's protocol. */
  async send<Result>(url: string, method: string, params: object = {}): Promise<Result> {
    const worker = [...this.#living.values()].find((one) => one.url.includes(url))
    const sessionId = await worker?.session
    if (sessionId === undefined) throw new Error(`No SharedWorker has '${url}' in its URL`)
    return new Promise<Result>((resolve, reject) => {
      this.#answers.set(this.#messageId + 1, (result) => resolve(result as Result))
      this.#post(sessionId, method, params).catch(reject)
    })
  }

  async #start(): Promise<void> {
    const browser = this.#browser
    browser.on('Target.targetCreated', ({ targetInfo: { targetId, type, url } }) => {
      if (type !== 'shared_worker') return
      let ongone = (): void => undefined
      const gone = new Promise<void>((resolve) => (ongone = resolve))
      this.#living.set(targetId, { url, session: this.#attach(targetId), gone, ongone })
    })
    browser.on('Target.targetDestroyed', ({ targetId }) => {
      this.#living.get(targetId)?.ongone()
      this.#living.delete(targetId)
    })
    browser.on('Target.receivedMessageFromTarget', ({ sessionId, message }) => {
      const { id, method, params, result } = JSON.parse(message) as Message
      if (id !== undefined) this.#answers.get(id)?.(result)
      // A worker that died of itself left our session behind, and the next of its name waits for us.
      if (method === 'Inspector.targetReloadedAfterCrash') this.#run(sessionId)
      if (method !== 'Runtime.exceptionThrown' || !params) return
      const { text, exception } = params.exceptionDetails
      this.#report(`worker: ${text} ${exception?.description ?? String(exception?.value)}`)
    })
    await browser.send('Target.setDiscoverTargets', { discover: true, filter: [{}] })
  }

  #run(sessionId: string): void {
    this.#post(sessionId, 'Runtime.runIfWaitingForDebugger').catch((error: unknown) => {
      if (this.#context.pages().length > 0) this.#report(`worker: ${String(error)}`)
    })
  }

  async #post(sessionId: string, method: string, params: object = {}): Promise<void> {
    this.#messageId += 1
    const message = JSON.stringify({ id: this.#messageId, method, params })
    await this.#browser.send('Target.sendMessageToTarget', { sessionId, message })
  }

  async #attach(targetId: string): Promise<string | undefined> {
    try {
      const { sessionId } = await this.#browser.send('Target.attachToTarget', { targetId, flatten: false })
      await this.#post(sessionId, 'Runtime.enable')
      return sessionId
    } catch (error) {
      if (this.#living.has(targetId) && this.#context.pages().length > 0) this.#report(`worker: ${String(error)}`)
      return undefined
    }
  }

  async #close(targetId: string, { session, gone }: Living): Promise<void> {
    const sessionId = await session
    try {
      // Closed with a session attached, the next worker of that URL starts paused and its page hangs.
      if (sessionId !== undefined) await this.#browser.send('Target.detachFromTarget', { sessionId })
      await this.#browser.send('Target.closeTarget', { targetId })
    } catch (error) {
      // It may have ended by itself in between, which is what was asked for.
      if (this.#living.has(targetId)) throw error
    }
    await gone
  }
}
