// Node's half of the agent: one per page, shared by all transports that go through it.

import type { Page } from 'playwright-core'
import { IntabError } from '../errors.js'
import type { AgentCall, AgentEvent, AgentNames, AgentReport, CallText, WorkerAddress } from './page-agent.js'
import { installAgent, runCalls } from './page-agent.js'

const names: AgentNames = { agent: '__intab_agent__', report: '__intab_report__' }

/** A port or lock in the page. */
export interface Thing {
  event(event: Extract<AgentEvent, { id: number }>): void
  /** Its document is gone, and it with it. */
  gone?(): void
}

/** Whoever lives as long as the page, over all of its documents. */
export interface PageListener {
  gone(): void
  back(): void
  closed(): void
}

const known = new WeakMap<Page, AgentLink>()

export class AgentLink {
  /** The SharedWorkers that the app made in this document, newest last. */
  readonly workers: WorkerAddress[] = []
  readonly #page: Page
  readonly #installed: Promise<void>
  #exposed: Promise<unknown> | undefined
  readonly #things = new Map<number, Thing>()
  readonly #listeners = new Set<PageListener>()
  readonly #waiting = new Set<() => void>()
  #document: string | undefined
  #calls: { id: number; text: CallText }[] = []
  #running = false
  #lastId = 0

  private constructor(page: Page) {
    this.#page = page
    this.#installed = this.#install()
    this.#installed.catch(() => undefined)
    page.on('crash', () => this.#gone())
    page.on('close', () => {
      for (const listener of this.#listeners) listener.closed()
      this.#gone()
      this.#wake()
    })
  }

  static of(page: Page): AgentLink {
    const link = known.get(page) ?? new AgentLink(page)
    known.set(page, link)
    return link
  }

  get page(): Page {
    return this.#page
  }

  /** Resolves when the page of now and of every later load has its agent. */
  async ready(): Promise<void> {
    if (this.#page.isClosed()) throw pageClosed()
    await this.#installed
    await this.until(() => this.#document !== undefined)
  }

  /** Resolves when all is heard that the page's agent had to report before this. */
  async heard(): Promise<void> {
    // In the page, reports and the end of this pass one after the other; a document that goes has nothing more to tell.
    await this.#page.evaluate(() => undefined).catch(() => undefined)
  }

  listen(listener: PageListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The id under which the page will know the thing. */
  add(thing: Thing): number {
    this.#lastId += 1
    this.#things.set(this.#lastId, thing)
    return this.#lastId
  }

  /** Lets go of a thing here and there. */
  remove(id: number): void {
    if (this.#things.delete(id)) this.call({ do: 'close', id })
  }

  /**
   * Calls arrive in their order, those of one turn together; what is meant for a document that is gone is dropped.
   * Throws for a call that is not JSON. One that the page refuses fails alone.
   */
  call(call: AgentCall): void {
    this.#calls.push({ id: call.id, text: JSON.stringify(call) })
    if (this.#running) return
    this.#running = true
    this.#run().catch(() => this.#gone())
  }

  /** Resolves when the condition holds after a report of the page; rejects when the page closes or the signal aborts. */
  async until(condition: () => boolean, signal?: AbortSignal): Promise<void> {
    const wake = (): void => this.#wake()
    signal?.addEventListener('abort', wake)
    try {
      while (!condition()) {
        if (this.#page.isClosed()) throw pageClosed()
        signal?.throwIfAborted()
        await new Promise<void>((resolve) => this.#waiting.add(resolve))
      }
    } finally {
      signal?.removeEventListener('abort', wake)
    }
  }

  async #install(): Promise<void> {
    const page = this.#page
    page.on('framenavigated', (frame) => {
      // Where it fails, the page has gone on to another document, or is closed.
      if (frame === page.mainFrame()) this.#ensure().catch(() => undefined)
    })
    // Both in this turn: the sooner, the less a `goto` that comes right after can overtake.
    this.#exposed = page.exposeBinding(names.report, ({ frame }, report: AgentReport) => {
      if (frame === page.mainFrame()) this.#hear(report)
    })
    await Promise.all([page.addInitScript(installAgent, names), this.#exposed])
    // The page may go to another document meanwhile.
    await this.#ensure().catch(() => this.#ensure())
  }

  /**
   * A document that was under way when both halves were installed may have come without the agent; and what one reports
   * before Playwright knows of the function is lost.
   */
  async #ensure(): Promise<void> {
    await this.#exposed
    await this.#page.evaluate(installAgent, names)
  }

  async #run(): Promise<void> {
    // Let the calls of this turn come together.
    await Promise.resolve()
    while (this.#calls.length > 0) {
      const [calls, document] = [this.#calls, this.#document]
      this.#calls = []
      if (document !== undefined) await this.#deliver(document, calls)
    }
    this.#running = false
  }

  async #deliver(document: string, calls: { id: number; text: CallText }[]): Promise<void> {
    const run = (texts: CallText[]): Promise<boolean> =>
      this.#page.evaluate(runCalls, { agent: names.agent, document, calls: texts })
    try {
      if (await run(calls.map(({ text }) => text))) return
    } catch (error) {
      // The page may go to another document at any time: the agent of that one says hello, and all begins anew.
      const remains = await run([]).catch(() => false)
      if (remains && calls.length > 1) {
        for (const call of calls) await this.#deliver(document, [call])
        return
      }
      const [call] = calls
      if (remains && call)
        return this.#things.get(call.id)?.event({ on: 'failed', id: call.id, message: String(error) })
    }
    if (document === this.#document) this.#gone()
  }

  #hear({ document, events }: AgentReport): void {
    for (const text of events) {
      const event = JSON.parse(text) as AgentEvent
      if (event.on === 'hello') {
        if (document !== this.#document) this.#begin(document)
        this.workers.length = 0
      } else if (document !== this.#document) continue
      else if (event.on === 'worker') this.workers.push(event.worker)
      else this.#things.get(event.id)?.event(event)
    }
    this.#wake()
  }

  #begin(document: string): void {
    this.#gone()
    this.#document = document
    for (const listener of this.#listeners) listener.back()
  }

  #gone(): void {
    if (this.#document === undefined) return
    this.#document = undefined
    this.#calls = []
    this.workers.length = 0
    for (const listener of this.#listeners) listener.gone()
    const things = [...this.#things.values()]
    this.#things.clear()
    for (const thing of things) thing.gone?.()
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve()
    this.#waiting.clear()
  }
}

export const pageClosed = (): IntabError => new IntabError('closed', 'The page was closed')
