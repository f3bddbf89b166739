// Keeps one link alive: makes it, notices its end, makes the next.

import { IntabError, toError } from '../errors.js'
import type { Json, Locks } from '../types.js'
import { Attempt, pause } from './attempt.js'
import type { Hello } from './front-door.js'
import type { Identity } from './identity.js'
import { SessionSlot } from './identity.js'
import type { WorkerFactory } from './make-worker.js'
import { makeHost } from './make-worker.js'
import { watchPage } from './page-life.js'
import { closed } from './reasons.js'
import type { WorkerLink } from './worker-link.js'
import { openLink, patience, signOfLife, wasSilent } from './worker-link.js'

/** Firefox connects a page that asks within 25 ms to the worker that is just dying; milliseconds after the drain. */
const afterDeath = 50
const longestWait = 10_000
/** A worker that follows one that died is silent when it is the dying one, or slow to start: grows from try to try; milliseconds. */
const firstSilence = 1_000
const longestSilence = 30_000
/** Tries in vain after which other tabs may have the questions that this page could not answer: a second and a half. */
const vain = 5

export interface LinkOptions {
  factory: WorkerFactory
  fallback: WorkerFactory | undefined
  data: Json | undefined
  locks: Locks
  page: EventTarget | undefined
}

export interface LinkEvents {
  /** Ids of questions that the page holds, for the hello. */
  holding(): string[]
  /** Starts the transport and brings the worker's session to where the last one was; a rejection is a failed try. */
  opened(link: WorkerLink): Promise<void>
  connected(link: WorkerLink): void
  /** The worker ended the link, or its lock came free; unless the reason is `superseded`, another link is on its way. */
  lost(reason: IntabError): void
  /** The page went away, with all that it held given back, or it returned and will have another link. */
  away(gone: boolean): void
  /** There will be no link: before there ever was one, or because a newer version has taken over. */
  failed(error: Error): void
  error(error: Error): void
}

export class LinkKeeper {
  /** New whenever all that the page held was given back. */
  connection = crypto.randomUUID() as string
  link: WorkerLink | undefined
  readonly #options: LinkOptions
  readonly #events: LinkEvents
  readonly #slot = new SessionSlot()
  readonly #unwatchPage: () => void
  #identity: Identity | undefined
  /** Ends with whatever made it useless to go on trying. */
  #trying = new AbortController()
  #everConnected = false
  #meetings = 0
  #away = false
  /** Of the worker's name, also over several links: a name that was found to be mute is not tried again. */
  #generation = 0

  constructor(options: LinkOptions, events: LinkEvents) {
    this.#options = options
    this.#events = events
    this.#unwatchPage = watchPage(options.page, { hide: () => this.#hide(), show: () => this.#show() })
    this.#connect()
  }

  get session(): string | undefined {
    return this.#identity?.session
  }

  close(): void {
    this.#leave()
    this.#unwatchPage()
    this.#slot.free()
  }

  #connect(death = false): void {
    const { signal } = (this.#trying = new AbortController())
    this.#reach(death, signal)
      .catch(async (error: unknown) => {
        const explained = signal.aborted ? error : await this.#explained(error)
        if (!signal.aborted) this.#events.failed(toError(explained))
      })
      .catch(this.#events.error)
  }

  /** What explains is loaded when something failed: most pages never need it. */
  async #explained(error: unknown): Promise<unknown> {
    if (!(error instanceof IntabError) || error.code !== 'worker_failed') return error
    try {
      const { explain } = await import('./explain.js')
      const message = `${error.message} ${await explain(this.#options.factory, error.data)}`
      return new IntabError(error.code, message, error.data, { cause: error })
    } catch {
      // The error itself is what counts.
      return error
    }
  }

  async #reach(death: boolean, signal: AbortSignal): Promise<void> {
    let wait = death ? afterDeath : 0
    for (let tries = 1; ; tries += 1) {
      if (wait > 0) await pause(wait, signal, this.#options.locks)
      const grown = (death ? firstSilence : signOfLife) * 2 ** (tries - 1)
      const silence = Math.min(grown, this.#everConnected ? longestSilence : signOfLife)
      try {
        return await this.#open(silence, signal)
      } catch (error) {
        const code = error instanceof IntabError ? error.code : ''
        const isPassing = wasSilent(error) || code === 'worker_gone' || code === 'timeout'
        const mayRecover = this.#everConnected || (isPassing && tries < 3)
        if (signal.aborted || code === 'superseded' || !mayRecover) throw error
        // A worker that is slow to start is silent as well: the next tries find it under its name. Each other name would
        // start one more, and make all of them slower.
        const isMute = death ? tries === 1 || silence > signOfLife : tries > 1
        if (wasSilent(error) && isMute) this.#generation += 1
        this.#events.error(toError(error))
        // Whoever sees the connection's lock free returns its claims; the next worker takes from the screen what went.
        if (tries >= vain) this.#release()
        wait = Math.min(afterDeath * 2 ** tries, longestWait)
      }
    }
  }

  async #open(silence: number, signal: AbortSignal): Promise<void> {
    const link = await this.#meet(silence, signal)
    const { transport } = link
    try {
      const attempt = new Attempt(signal)
      const late = new IntabError('worker_failed', 'The new worker does not answer')
      attempt.after(patience, () => attempt.fail(late), this.#options.locks)
      await attempt.settle(this.#events.opened(link))
      signal.throwIfAborted()
      if (transport.signal.aborted) throw toError(transport.signal.reason)
    } catch (error) {
      await transport.close({ giveBack: true })
      throw error
    }
    this.link = link
    this.#everConnected = true
    transport.signal.addEventListener('abort', () => this.#lost(link))
    this.#events.connected(link)
  }

  /** The browser fetches and runs the worker's script while the page asks for its locks. */
  async #meet(silence: number, signal: AbortSignal): Promise<WorkerLink> {
    const { factory, fallback, locks } = this.#options
    const hello = this.#hello(signal)
    try {
      const host = makeHost(factory, fallback, this.#generation)
      return await openLink(host, hello, locks, { signal, silence, onerror: this.#events.error })
    } catch (error) {
      // The next try must not ask for the locks beside this one; and where there are none, that is the error to tell.
      await hello
      throw error
    }
  }

  async #hello(signal: AbortSignal): Promise<Hello> {
    const { data } = this.#options
    this.#identity ??= await this.#identify(signal)
    const { session, connection, locks: names } = this.#identity
    const meeting = (this.#meetings += 1)
    const hello = { version: 1 as const, session, connection, locks: names, holding: this.#events.holding(), meeting }
    return data === undefined ? hello : { ...hello, data }
  }

  async #identify(signal: AbortSignal): Promise<Identity> {
    const { locks } = this.#options
    const attempt = new Attempt(signal)
    const late = new IntabError('timeout', `The browser granted no Web Lock within ${signOfLife} ms: reload the page`)
    attempt.after(signOfLife, () => attempt.fail(late), locks)
    try {
      const identity = await this.#slot.identify(locks, this.connection, attempt.signal)
      // Whoever aborted has found nothing to release.
      if (attempt.signal.aborted) identity.release()
      attempt.signal.throwIfAborted()
      return identity
    } finally {
      attempt.end()
    }
  }

  #lost(link: WorkerLink): void {
    if (this.link !== link) return
    this.link = undefined
    const reason = link.transport.signal.reason as IntabError
    this.#events.lost(reason)
    if (reason.code !== 'superseded') this.#connect(true)
  }

  #hide(): void {
    if (this.#away) return
    this.#away = true
    this.#leave()
    this.#events.away(true)
  }

  #show(): void {
    if (!this.#away) return
    this.#away = false
    this.connection = crypto.randomUUID()
    this.#events.away(false)
    this.#connect()
  }

  #leave(): void {
    this.#trying.abort(closed('The page left'))
    const { link } = this
    this.link = undefined
    link?.transport.close({ giveBack: true }).catch(this.#events.error)
    this.#release()
  }

  #release(): void {
    this.#identity?.release()
    this.#identity = undefined
  }
}
