// A connection without a Client: whatever JSON-RPC a test wants to say, and what comes back.

import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js'
import { onTestFinished } from 'vitest'
import { connectionLock, sessionLock } from '../../src/link/locks.js'
import { makeHost } from '../../src/link/make-worker.js'
import { openLink, type WorkerLink } from '../../src/link/worker-link.js'
import type { Json } from '../../src/types.js'
import { memoryLocks, type MortalLocks } from '../doubles/locks.js'
import { FakeSharedWorker, type World } from './world.js'

type Response = Extract<JSONRPCMessage, { result: unknown } | { error: unknown }>

export interface RawPage {
  ids: { session: string; connection: string }
  names: { session: string; connection: string }
  locks: MortalLocks
}

/** A page that holds its locks. */
export async function rawPage(world: World): Promise<RawPage> {
  const locks = memoryLocks(world.locks)
  const ids = { session: crypto.randomUUID(), connection: crypto.randomUUID() }
  const names = { session: sessionLock(ids.session), connection: connectionLock(ids.connection) }
  await Promise.all([locks.hold(names.session), locks.hold(names.connection)])
  return { ids, names, locks }
}

export class RawConnection {
  readonly received: JSONRPCMessage[] = []
  readonly #link: WorkerLink
  readonly #waiting = new Map<RequestId, (response: Response) => void>()

  private constructor(link: WorkerLink) {
    this.#link = link
    link.transport.onmessage = (message) => {
      this.received.push(message)
      if (!('method' in message) && message.id !== undefined) this.#waiting.get(message.id)?.(message)
    }
    link.transport.onerror = () => undefined
  }

  /** With a page, several connections have one name, and the page's locks. */
  static async open(world: World, data?: Json, page?: RawPage, holding: string[] = []): Promise<RawConnection> {
    const { ids, names, locks } = page ?? (await rawPage(world))
    const host = makeHost(() => new FakeSharedWorker(world.living().scope) as unknown as SharedWorker, undefined, 0)
    const hello = { version: 1 as const, ...ids, locks: names, holding, ...(data !== undefined && { data }) }
    const meeting = { signal: new AbortController().signal, silence: 5_000, onerror: () => undefined }
    const raw = new RawConnection(await openLink(host, Promise.resolve(hello), locks, meeting))
    await raw.#link.transport.start()
    onTestFinished(() => raw.close())
    return raw
  }

  /** Introduces itself as a client does. */
  async initialize(capabilities: object = { elicitation: {} }): Promise<void> {
    const clientInfo = { name: 'raw', version: '1.0.0' }
    await this.ask('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo })
    await this.say({ jsonrpc: '2.0', method: 'notifications/initialized' })
  }

  /** Sends anything at all; rejects when the peer does not take it. */
  say(message: unknown): Promise<void> {
    return this.#link.transport.send(message as JSONRPCMessage)
  }

  /** Resolves with the response, result or error. */
  async ask(method: string, params?: unknown, id: RequestId = crypto.randomUUID()): Promise<Response> {
    const response = new Promise<Response>((resolve) => this.#waiting.set(id, resolve))
    await this.say({ jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) })
    return response
  }

  close(): Promise<void> {
    return this.#link.transport.close()
  }
}
