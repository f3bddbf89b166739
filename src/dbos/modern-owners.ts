// MCP 2026-07-28 has no sessions: each request says by itself what its client can do, and those of one owner share one
// connection within the process. Every process has its own; what they tell is in the rows.

import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { IntabError, toError } from '../errors.js'
import { ModernHttp } from '../http/modern-http.js'
import type { Handled, Incoming } from '../http/protocol.js'
import type { RelatedInfo } from '../link/json-rpc.js'
import { openSession } from '../session/open-session.js'
import type { Hub } from '../session/hub.js'
import type { AnswerableTransport } from '../session/session.js'
import { after } from '../time.js'
import { newConnection } from './process-locks.js'

/** Milliseconds after which the connection of an owner ends of whom nothing came. */
const idle = 5 * 60_000

interface Local {
  http: ModernHttp
  stop(): void
}

export class ModernOwners {
  readonly #hub: Hub
  readonly #local = new Map<string, Local>()

  constructor(hub: Hub) {
    this.#hub = hub
  }

  handle(incoming: Incoming, owner: string): Promise<Handled> {
    const local = this.#local.get(owner) ?? this.#open(owner)
    this.#touch(owner, local)
    return local.http.handle(incoming)
  }

  async close(reason: IntabError): Promise<void> {
    await Promise.all(
      [...this.#local.values()].map(({ http, stop }) => {
        stop()
        return http.close(reason)
      })
    )
  }

  #open(owner: string): Local {
    const http = new ModernHttp(
      () => new OwnerEnd(this.#hub, owner),
      (error) => this.#hub.onerror(error, 'answering a request')
    )
    const local = { http, stop: () => undefined }
    this.#local.set(owner, local)
    return local
  }

  #touch(owner: string, local: Local): void {
    local.stop()
    local.stop = after(idle, () => {
      if (local.http.busy) return this.#touch(owner, local)
      this.#local.delete(owner)
      local.http
        .close(new IntabError('closed', 'Nobody used the connection'))
        .catch((error: unknown) => this.#hub.onerror(toError(error), 'closing a connection'))
    })
  }
}

/** One end of two in one process: what it sends, the other receives, with the request that it belongs to. */
class End implements AnswerableTransport {
  onmessage?: NonNullable<Transport['onmessage']>
  onclose?: () => void
  onerror?: (error: Error) => void
  other: End | undefined

  start(): Promise<void> {
    return Promise.resolve()
  }

  send(message: JSONRPCMessage, { relatedRequestId }: TransportSendOptions = {}): Promise<void> {
    const info: RelatedInfo = relatedRequestId === undefined ? {} : { relatedRequestId }
    this.other?.onmessage?.(message, info)
    return Promise.resolve()
  }

  close(): Promise<void> {
    this.onclose?.()
    return Promise.resolve()
  }
}

/** The client's end of a connection to a session of the owner, which ends with it. */
class OwnerEnd extends End {
  readonly #hub: Hub
  readonly #owner: string
  readonly #ended = new AbortController()

  constructor(hub: Hub, owner: string) {
    super()
    this.#hub = hub
    this.#owner = owner
  }

  override async start(): Promise<void> {
    const server = new End()
    this.other = server
    server.other = this
    const info = { id: crypto.randomUUID(), connection: newConnection(this.#hub.executor), data: this.#owner }
    await openSession(this.#hub, { info, transport: server, holding: [], signal: this.#ended.signal })
  }

  override close(): Promise<void> {
    this.#ended.abort(new IntabError('closed', 'The connection has ended'))
    return super.close()
  }
}
