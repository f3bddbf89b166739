// A transport in Node for the server in a page's SharedWorker.

import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { Page } from 'playwright-core'
import { toError } from '../errors.js'
import { failure, isRequest } from '../link/json-rpc.js'
import { WorkerTransport } from '../link/worker-transport.js'
import { plainJson } from '../plain-json.js'
import type { Json } from '../types.js'
import { AgentLink, pageClosed } from './agent-link.js'
import { findWorker } from './find-worker.js'
import type { WorkerAddress } from './page-agent.js'
import { pageLocks } from './page-locks.js'
import { PageWorker } from './page-worker.js'

/** Options of `new PageTransport`. */
export interface PageTransportOptions {
  /** The SharedWorker to talk to. Default: the newest one that the page makes. */
  worker?: WorkerAddress
  /** What the server's `owner` and `setup` are told, as in `new WorkerTransport(factory, { data })`. */
  data?: Json
  /** Milliseconds to wait for the page to make its worker. Default 10,000. */
  timeout?: number
}

/**
 * Connects a Client in Node to the server in the page's SharedWorker, on a connection of its own: to the server it is
 * one more tab. A reload of the page is a tab that went and came back, with all that WorkerTransport does then; when
 * the page closes, so does the transport, after an `onerror` that says so.
 *
 * `start` rejects with `worker_failed` when the page has no server, `closed` when the page is closed.
 */
export class PageTransport extends WorkerTransport {
  readonly #agent: AgentLink
  readonly #options: PageTransportOptions
  readonly #life: EventTarget
  #unlisten: (() => void) | undefined
  #pageGone = false
  #suspended = false

  constructor(page: Page, options: PageTransportOptions = {}) {
    const agent = AgentLink.of(page)
    const life = new EventTarget()
    const named = options.worker && { ...options.worker }
    const address = async (signal: AbortSignal): Promise<WorkerAddress> => {
      if (named !== undefined) return named
      await agent.until(() => agent.workers.length > 0, signal)
      return agent.workers.at(-1) as WorkerAddress
    }
    super(() => new PageWorker(agent, address) as unknown as SharedWorker, {
      locks: pageLocks(agent),
      page: life,
      ...(options.data !== undefined && { data: options.data })
    })
    this.#agent = agent
    this.#life = life
    this.#options = options
  }

  override async start(): Promise<void> {
    const { worker, timeout = 10_000 } = this.#options
    await this.#agent.ready()
    if (worker === undefined) await findWorker(this.#agent, timeout)
    // WorkerTransport already knows what to do for a page that goes and comes back.
    this.#unlisten = this.#agent.listen({
      gone: () => this.#live(() => (this.#pageGone = true)),
      back: () => this.#live(() => (this.#pageGone = false)),
      closed: () => this.#onpageclosed()
    })
    try {
      await super.start()
    } catch (error) {
      this.#unlisten()
      throw error
    }
  }

  /** What JSON cannot carry does not reach the page: such a request is answered with `not_json`, as by the worker. */
  override async send(message: JSONRPCMessage): Promise<void> {
    let clean: JSONRPCMessage
    try {
      clean = plainJson(message).value as unknown as JSONRPCMessage
    } catch (error) {
      if (!isRequest(message)) throw error
      return this.onmessage?.(failure(message.id, error))
    }
    return super.send(clean)
  }

  override async close(): Promise<void> {
    this.#unlisten?.()
    await super.close()
  }

  /** Leaves the server for a while, as a tab that is hidden for good: its questions go to others, and calls wait. */
  suspend(): void {
    this.#live(() => (this.#suspended = true))
  }

  /** Goes on as a tab that came back. */
  resume(): void {
    this.#live(() => (this.#suspended = false))
  }

  #live(change: () => void): void {
    const before = this.#pageGone || this.#suspended
    change()
    const after = this.#pageGone || this.#suspended
    if (after && !before) this.#life.dispatchEvent(new Event('pagehide'))
    if (before && !after) this.#life.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
  }

  #onpageclosed(): void {
    this.onerror?.(pageClosed())
    this.close().catch((error: unknown) => this.onerror?.(toError(error)))
  }
}
