// The revisions with sessions, up to 2025-11-25: one connection to the page's worker for each.

import { isInitializeRequest, type RequestId } from '@modelcontextprotocol/sdk/types.js'
import { IntabError } from '../errors.js'
import { isRequest } from '../link/json-rpc.js'
import { refuse } from '../http/frame.js'
import { HttpSession, type PageSide } from './http-session.js'
import type { Patience } from './presence.js'
import type { Handled, Incoming, Protocol } from '../http/protocol.js'
import { type Relay, relay } from './relay.js'
import { ReplayBudget } from './replay.js'
import { jsonResponse } from '../http/web-request.js'

export interface SessionOptions extends Patience {
  /** Most sessions at a time; a further one ends the session that has been away longest. */
  sessions: number
  /** Bytes of all sessions that clients can have again with Last-Event-ID. */
  replay: number
}

export const defaultSessionOptions: SessionOptions = {
  silence: 5_000,
  idle: 30 * 60_000,
  sessions: 1_000,
  replay: 64 * 1024 * 1024
}

export class HttpSessions implements Protocol {
  readonly #connect: () => PageSide
  readonly #options: SessionOptions
  readonly #onerror: (error: Error) => void
  readonly #replays: ReplayBudget
  readonly #sessions = new Map<string, { session: HttpSession; relay: Relay }>()

  /** `connect` makes a transport to the page, not started. */
  constructor(connect: () => PageSide, options: SessionOptions, onerror: (error: Error) => void) {
    this.#connect = connect
    this.#options = options
    this.#onerror = onerror
    this.#replays = new ReplayBudget(options.replay)
  }

  takes(): boolean {
    return true
  }

  async handle({ request, message }: Incoming): Promise<Handled> {
    const sessionId = request.headers.get('mcp-session-id')
    const known = this.#sessions.get(sessionId ?? '')
    if (known) {
      // Sessions that are away go in the order in which they were last used.
      this.#sessions.delete(known.session.id)
      this.#sessions.set(known.session.id, known)
      return known.session.handle(request, message)
    }
    const id: RequestId | null = message && isRequest(message) ? message.id : null
    if (sessionId !== null) {
      const text = `Session not found: it was ended, or had no request for ${this.#options.idle / 1000} s. Send initialize again`
      return { response: jsonResponse(404, refuse(-32001, text, id)) }
    }
    if (!isInitializeRequest(message)) {
      const text = 'Bad Request: send the Mcp-Session-Id from the response to initialize, or a valid initialize request'
      return { response: jsonResponse(400, refuse(-32000, text, id)) }
    }
    const session = await this.#open()
    const handled = await session.handle(request, message)
    // It keeps its session only if the SDK took its first request.
    if (!handled.response.ok) await session.close()
    return handled
  }

  async close(reason: Error): Promise<void> {
    await Promise.all([...this.#sessions.values()].map(({ relay }) => relay.end(reason)))
  }

  async #open(): Promise<HttpSession> {
    await this.#makeRoom()
    const page = this.#connect()
    const session = new HttpSession(page, this.#replays.open(), this.#options)
    const relayed = await relay(session, page, this.#onerror)
    const { onclose } = session
    this.#sessions.set(session.id, { session, relay: relayed })
    session.onclose = () => {
      this.#sessions.delete(session.id)
      onclose?.()
    }
    return session
  }

  async #makeRoom(): Promise<void> {
    if (this.#sessions.size < this.#options.sessions) return
    const [oldest] = [...this.#sessions.values()].filter(({ session }) => session.away)
    if (oldest === undefined) {
      const text = `All ${this.#options.sessions} sessions of the bridge are in use: end one with DELETE`
      throw new IntabError('limit_reached', text)
    }
    await oldest.session.close()
  }
}
