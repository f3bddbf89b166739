// The page's transport: one MCP session over as many workers and connections as it takes.

import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage, JSONRPCRequest, JSONRPCResponse } from '@modelcontextprotocol/sdk/types.js'
import { IntabError, toError } from '../errors.js'
import { backOff, pause } from '../time.js'
import type { Json, Locks } from '../types.js'
import { Conversation } from './conversation.js'
import { newGate } from './gate.js'
import { failureOf, isRequest, isResponse, portable } from './json-rpc.js'
import { cancelOnAbort, type SendOptions } from './cancel-on-abort.js'
import { Ledger, type Owed } from './ledger.js'
import { type LinkEvents, LinkKeeper } from './link-keeper.js'
import { webLocks } from './locks.js'
import type { WorkerFactory } from './make-worker.js'
import { closed, isFinal, superseded, workerGone } from './reasons.js'
import type { WorkerLink } from './worker-link.js'

/** Options of `new WorkerTransport`. */
export interface WorkerTransportOptions {
  /** Tells the worker who the page is; its `owner` decides with it. */
  data?: Json
  /** Makes the worker where SharedWorker is missing, for example `() => new Worker(…)`. */
  fallback?: WorkerFactory
  /** The browser's Web Locks by default. */
  locks?: Locks
  /** Where `pagehide`, `pageshow` and the like are listened for; the window by default. */
  page?: EventTarget
}

/** `superseded`: a newer version of the app has taken over the database, and this page must be reloaded. */
export type LinkState = 'connecting' | 'connected' | 'reconnecting' | 'superseded' | 'closed'

/**
 * Connects a Client to the server in the worker that the factory makes, and again when that worker dies. Calls that may
 * be repeated go on as if nothing had happened; others fail with `worker_gone`.
 *
 * `start` rejects with `insecure_context`, `worker_failed`, or what the worker refuses with.
 */
export class WorkerTransport implements Transport {
  // Without `undefined`, as other clients' interfaces have it.
  onmessage?: NonNullable<Transport['onmessage']>
  onclose?: () => void
  /** Also called for each failed attempt to reconnect; further attempts follow. */
  onerror?: (error: Error) => void
  /** For clients that look for MCP 2026-07-28 only where a transport says that they may. */
  readonly supportsProtocolVersionDiscovery = true
  onstatechange?: ((state: LinkState) => void) | undefined
  readonly #factory: WorkerFactory
  readonly #options: WorkerTransportOptions
  readonly #ledger = new Ledger()
  readonly #conversation = new Conversation(this.#ledger, {
    message: (message, extra) => this.onmessage?.(message, extra),
    error: (error) => this.onerror?.(error)
  })
  readonly #closing = new AbortController()
  #keeper: LinkKeeper | undefined
  #state: LinkState = 'connecting'
  #kind: WorkerLink['kind'] | undefined
  #failure: Error | undefined
  /** Closed while there is no link but will be one. */
  #gate = newGate()

  constructor(factory: WorkerFactory, options: WorkerTransportOptions = {}) {
    this.#factory = factory
    this.#options = options
  }

  get state(): LinkState {
    return this.#state
  }

  /** Where the server runs; undefined before the first connection. */
  get kind(): 'shared-worker' | 'worker' | 'page' | undefined {
    return this.#kind
  }

  /** Survives a reload of the page; undefined while not connected. */
  get session(): string | undefined {
    return this.#keeper?.session
  }

  /** This transport, in this life of its page; empty before start. */
  get connection(): string {
    return this.#keeper?.connection ?? ''
  }

  /** The generation of the worker; undefined while not connected. */
  get worker(): string | undefined {
    return this.#keeper?.link?.welcome.worker
  }

  async start(): Promise<void> {
    if (this.#keeper || this.#state === 'closed') {
      throw new IntabError('invalid_options', 'A WorkerTransport can be started only once: make a new one')
    }
    const { data, fallback, page = 'addEventListener' in globalThis ? globalThis : undefined } = this.#options
    try {
      const locks = this.#options.locks ?? webLocks()
      this.#keeper = new LinkKeeper({ factory: this.#factory, fallback, data, locks, page }, this.#events)
    } catch (error) {
      this.#end(toError(error))
    }
    await this.#gate.opened
    if (this.#failure) throw this.#failure
    if (this.state === 'closed') throw closed('The transport was closed before it connected')
  }

  /** A request is cancelled, as by `notifications/cancelled`, when a signal of the options aborts before its answer. */
  async send(given: JSONRPCMessage, options?: SendOptions): Promise<void> {
    const message = portable(given)
    if (isRequest(given) && isResponse(message)) return this.#conversation.tell([message])
    const link = await this.#connected()
    if (link === undefined) return this.#refuse(message)
    if (isRequest(message)) return this.#request(link, message, options)
    if (isResponse(message)) return this.#respond(link, message)
    this.#ledger.notified(message)
    if (message.method === 'notifications/cancelled') return this.#insist(message)
    const taken = link.transport.send(message)
    if (message.method !== 'notifications/initialized') return taken
    // Nobody need wait: what the client says next comes later, and the next worker hears this one from the ledger.
    taken.catch((error: unknown) => {
      if (!link.transport.signal.aborted) this.onerror?.(toError(error))
    })
  }

  async close(): Promise<void> {
    this.#end()
  }

  readonly #events: LinkEvents = {
    holding: () => this.#ledger.holding,
    opened: (link) => this.#conversation.open(link),
    connected: (link) => {
      this.#conversation.resume(link)
      this.#kind = link.kind
      this.#become('connected')
      this.#gate.open()
    },
    lost: ({ code }) => {
      if (code === 'superseded') return this.#supersede()
      this.#wait()
      this.#conversation.tell(this.#ledger.lost(workerGone()))
    },
    away: (gone) => {
      if (gone) this.#wait()
      else this.#conversation.tell([...this.#ledger.gaveBack(), ...this.#ledger.lost(workerGone())])
    },
    failed: (error) => {
      if (this.#kind !== undefined && error instanceof IntabError && error.code === 'superseded') this.#supersede()
      else this.#end(error)
    },
    error: (error) => this.onerror?.(error)
  }

  /** Undefined when there will be none; calls that wait get on in their order. */
  async #connected(): Promise<WorkerLink | undefined> {
    if (this.#keeper === undefined && this.#state !== 'closed') {
      throw new IntabError('invalid_options', 'This transport is not started')
    }
    do await this.#gate.opened
    while (this.#state === 'connecting' || this.#state === 'reconnecting')
    return this.#keeper?.link
  }

  async #request(link: WorkerLink, message: JSONRPCRequest, options?: SendOptions): Promise<void> {
    const onover = cancelOnAbort(message, options, (cancelled) => this.send(cancelled).catch(this.#events.error))
    try {
      await link.transport.send(this.#ledger.asked(message, onover))
    } catch (error) {
      // The ledger knows what becomes of it.
      if (link.transport.signal.aborted) return
      this.#ledger.notAsked(message)
      throw error
    }
  }

  async #respond(link: WorkerLink, response: JSONRPCResponse): Promise<void> {
    const how = this.#ledger.answering(response)
    if (how === 'keep') await this.#insist(response)
    else if (how === 'once') {
      await link.transport.send(response).catch((error: unknown) => {
        // The request has died with its worker.
        if (!link.transport.signal.aborted) throw error
      })
    }
  }

  /** Sends until a worker has taken it, whichever; rejects when it is refused for good or no worker will come. */
  async #insist(message: Owed): Promise<void> {
    for (let tries = 1; this.#ledger.owes(message); tries += 1) {
      const link = await this.#connected()
      if (link === undefined) return this.#refuse(message)
      try {
        await link.transport.send(message)
        this.#ledger.acknowledged(message)
      } catch (error) {
        if (link.transport.signal.aborted) continue
        if (isFinal(error)) {
          this.#ledger.acknowledged(message)
          throw error
        }
        this.onerror?.(toError(error))
        await pause(backOff(tries), this.#closing.signal)
      }
    }
  }

  #refuse(message: JSONRPCMessage): void {
    if (this.#state !== 'superseded') throw closed('This transport is closed: make a new one')
    if (!isRequest(message)) throw superseded()
    this.#conversation.tell([failureOf(message, superseded())])
  }

  #supersede(): void {
    this.#keeper?.close()
    this.#closing.abort(superseded())
    this.#become('superseded')
    this.#conversation.tell(this.#ledger.ended(superseded()))
    this.#gate.open()
  }

  #end(failure?: Error): void {
    if (this.#state === 'closed') return
    this.#failure = failure
    if (this.#state !== 'superseded') this.#keeper?.close()
    this.#closing.abort(closed('This transport is closed: make a new one'))
    this.#become('closed')
    this.#gate.open()
    this.onclose?.()
  }

  #wait(): void {
    if (this.#state !== 'connected') return
    this.#gate = newGate()
    this.#become('reconnecting')
  }

  #become(state: LinkState): void {
    if (this.#state === state) return
    this.#state = state
    try {
      this.onstatechange?.(state)
    } catch (error) {
      this.onerror?.(toError(error))
    }
  }
}
