// Sessions of 2025-11-25. Each is a row: a process that has not seen it yet opens it from there.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management

import type { JSONRPCMessage, JSONRPCRequest, RequestId } from '@modelcontextprotocol/sdk/types.js'
import { toError } from '../errors.js'
import { refuse } from '../http/frame.js'
import type { Handled, Incoming } from '../http/protocol.js'
import { jsonResponse } from '../http/web-request.js'
import { cancellation, isRequest } from '../link/json-rpc.js'
import { legacyVersions } from '../protocol/requests.js'
import { openSessionRows, type SessionRows } from '../postgres/session-rows.js'
import { isAboutTasks, openSession } from '../session/open-session.js'
import type { Session } from '../session/session.js'
import { after } from '../time.js'
import type { JsonObject } from '../types.js'
import { HttpConnection } from './http-connection.js'
import { newConnection } from './process-locks.js'
import type { Started } from './start.js'

/** Milliseconds after which a process forgets a session that nobody uses there; its row stays. */
const idle = 5 * 60_000
/** Milliseconds between notes that a session is in use. */
const noted = 60 * 60_000

/** What a client shows that it wants to hear of, beyond what it declared. */
const hearing = { nothing: 0, tasks: 1, everything: 2 }

interface Local {
  session: Session
  /** One of `hearing`. */
  hears: number
  connection: HttpConnection
  usedAt: number
  stop(): void
}

/** What one process tells the others of a session; with nothing else, that it has ended. */
interface Post {
  session: string
  cancel?: RequestId
  hears?: number
  /** For its client, which may listen there. */
  tell?: JSONRPCMessage
  /** Its client does not listen any more. */
  left?: true
}

const refusal = (status: number, code: number, text: string, id: RequestId | null): Handled => ({
  response: jsonResponse(status, refuse(code, text, id))
})

export class Sessions {
  readonly #started: Started
  readonly #rows: SessionRows
  readonly #local = new Map<string, Promise<Local | undefined>>()

  constructor(started: Started) {
    this.#started = started
    this.#rows = openSessionRows(started.storage.transactions)
  }

  async handle({ request, message }: Incoming, owner: string): Promise<Handled> {
    const { method, headers } = request
    const id = headers.get('mcp-session-id')
    const asked = message && isRequest(message) ? message.id : null
    const version = headers.get('mcp-protocol-version')
    if (version !== null && !legacyVersions.some((known) => known === version)) {
      return refusal(400, -32000, `MCP-Protocol-Version ${version} is unknown: send ${legacyVersions[0]}`, asked)
    }
    if (id === null) {
      if (message && isRequest(message) && message.method === 'initialize') return this.#begin(message, owner)
      return refusal(400, -32000, 'Mcp-Session-Id is missing: send that of the answer to initialize', asked)
    }
    const local = await this.#find(id, owner)
    if (local === undefined) {
      return refusal(404, -32001, 'Session not found: it was ended, or unused for a week. Initialize again', asked)
    }
    this.#touch(id, local)
    if (message !== undefined) await this.#learn(id, local, message)
    if (method === 'DELETE') return this.#end(id)
    if (method === 'GET') return local.connection.listen()
    if (message === undefined) return refusal(405, -32000, `${method} is not allowed: use GET, POST or DELETE`, null)
    // The request that it cancels may run in any process.
    if ('method' in message && message.method === 'notifications/cancelled') {
      await this.#tell({ session: id, cancel: message.params?.requestId as RequestId })
    }
    return local.connection.post(message)
  }

  /** What another process posted. */
  hear({ session: id, cancel, hears, tell, left }: Post): void {
    const act = async (local: Local | undefined): Promise<void> => {
      if (local === undefined) return
      const { connection, session } = local
      if (hears !== undefined) attend(local, hears)
      else if (tell !== undefined) connection.tell(tell)
      else if (left)
        this.#giveBack(
          session,
          [...session.held.keys()].filter((asked) => !connection.shows(asked))
        )
      else if (cancel !== undefined) await connection.receive(cancellation(cancel, 'The client cancelled it'))
      else await connection.close()
    }
    this.#local
      .get(id)
      ?.then(act)
      .catch((error: unknown) => this.#onerror(error, 'hearing of a session'))
  }

  async close(): Promise<void> {
    await Promise.all([...this.#local.values()].map((local) => local.then((found) => found?.connection.close())))
  }

  #tell(post: Post): Promise<void> {
    return this.#started.post('session', post)
  }

  readonly #onerror = (error: unknown, during: string): void => this.#started.hub.onerror(toError(error), during)

  async #begin(message: JSONRPCRequest, owner: string): Promise<Handled> {
    const id = crypto.randomUUID()
    const gone = await this.#rows.add(id, { owner, initialize: (message.params ?? {}) as JsonObject })
    for (const other of gone) await this.#close(other)
    const local = await this.#keep(id, this.#open(id, owner))
    this.#touch(id, local)
    return local.connection.post(message)
  }

  async #find(id: string, owner: string): Promise<Local | undefined> {
    const found = await (this.#local.get(id) ?? this.#keep(id, this.#restore(id)))
    return found?.session.owner === owner ? found : undefined
  }

  /** What other processes post of it meanwhile waits for it. */
  async #restore(id: string): Promise<Local | undefined> {
    const row = await this.#rows.find(id)
    if (row === undefined) return undefined
    const local = await this.#open(id, row.owner)
    const { connection } = local
    await connection.post({ jsonrpc: '2.0', id: 'restored', method: 'initialize', params: row.initialize })
    await connection.receive({ jsonrpc: '2.0', method: 'notifications/initialized' })
    attend(local, row.hears)
    return local
  }

  #keep<Found extends Local | undefined>(id: string, opening: Promise<Found>): Promise<Found> {
    this.#local.set(id, opening)
    const drop = (): void => {
      if (this.#local.get(id) === opening) this.#local.delete(id)
    }
    opening.then((found) => found ?? drop(), drop)
    return opening
  }

  /** The client may listen at another process, which is to know what it wants to hear. */
  async #learn(id: string, local: Local, message: JSONRPCMessage): Promise<void> {
    if (!('method' in message)) return
    const { nothing, tasks, everything } = hearing
    const hears = message.method === 'intab/watch' ? everything : isAboutTasks(message) ? tasks : nothing
    if (hears <= local.hears) return
    attend(local, hears)
    await this.#rows.hear(id, hears)
    await this.#tell({ session: id, hears })
  }

  async #open(id: string, owner: string): Promise<Local> {
    const { hub } = this.#started
    const name = newConnection(hub.executor)
    const connection = new HttpConnection(id, {
      onunseen: (requestIds) => this.#giveBack(session, requestIds),
      onreachable: () => hub.reviewQuestions(),
      onunheard: (tell) => this.#tellSoon({ session: id, tell }),
      onleft: () => this.#tellSoon({ session: id, left: true })
    })
    const info = { id, connection: name, data: owner }
    const { signal } = connection
    const session = await openSession(hub, { info, transport: connection, holding: [], signal })
    const local: Local = { session, hears: hearing.nothing, connection, usedAt: Date.now(), stop: () => undefined }
    const forget = (): void => {
      this.#local.delete(id)
      local.stop()
    }
    signal.addEventListener('abort', forget, { once: true })
    return local
  }

  #touch(id: string, local: Local): void {
    local.stop()
    local.stop = after(idle, () => {
      if (local.connection.busy) this.#touch(id, local)
      else local.connection.close().catch((error: unknown) => this.#onerror(error, 'closing a session'))
    })
    const now = Date.now()
    if (now - local.usedAt < noted) return
    local.usedAt = now
    this.#rows.use(id).catch((error: unknown) => this.#onerror(error, 'noting that a session is in use'))
  }

  async #end(id: string): Promise<Handled> {
    await this.#rows.remove(id)
    await this.#close(id)
    return { response: new Response(null, { status: 200 }) }
  }

  /** In every process. */
  async #close(id: string): Promise<void> {
    await this.#tell({ session: id })
    await (await this.#local.get(id))?.connection.close()
  }

  #giveBack(session: Session, requestIds: readonly string[]): void {
    for (const requestId of requestIds) session.release(requestId)
    this.#started.hub.messages
      .giveBack(session.connection, { only: requestIds })
      .catch((error: unknown) => this.#onerror(error, 'returning questions'))
  }

  #tellSoon(post: Post): void {
    this.#tell(post).catch((error: unknown) => this.#onerror(error, 'telling other processes of a session'))
  }
}

function attend(local: Local, hears: number): void {
  local.hears = Math.max(local.hears, hears)
  if (hears >= hearing.tasks) local.session.hearsOfTasks = true
  if (hears >= hearing.everything) local.session.watches = true
}
