// Sessions of 2025-11-25. Each is a row: a process that has not seen it yet opens it from there.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management

import type { JSONRPCRequest, RequestId } from '@modelcontextprotocol/sdk/types.js'
import { toError } from '../errors.js'
import { refuse } from '../http/frame.js'
import type { Handled, Incoming } from '../http/protocol.js'
import { jsonResponse } from '../http/web-request.js'
import { cancellation, isRequest } from '../link/json-rpc.js'
import { legacyVersions } from '../protocol/requests.js'
import { openSession } from '../session/open-session.js'
import { after } from '../time.js'
import { HttpConnection } from './http-connection.js'
import { newConnection } from './process-locks.js'
import type { Started } from './start.js'

/** Milliseconds after which a process forgets a session that nobody uses there; its row stays. */
const idle = 5 * 60_000
/** Milliseconds after which the row of a session goes that nobody used. */
const kept = 7 * 24 * 60 * 60_000
/** Milliseconds between notes that a session is in use. */
const noted = 60 * 60_000

interface Local {
  owner: string
  connection: HttpConnection
  usedAt: number
  stop(): void
}

/** What one process tells the others of a session. */
type Post = { session: string; cancel?: RequestId }

const refusal = (status: number, code: number, text: string, id: RequestId | null): Handled => ({
  response: jsonResponse(status, refuse(code, text, id))
})

export class Sessions {
  readonly #started: Started
  readonly #local = new Map<string, Promise<Local>>()

  constructor(started: Started) {
    this.#started = started
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
    if (method === 'DELETE') return this.#end(id, owner)
    if (method === 'GET') return local.connection.listen()
    if (message === undefined) return refusal(405, -32000, `${method} is not allowed: use GET, POST or DELETE`, null)
    // The request that it cancels may run in any process.
    if ('method' in message && message.method === 'notifications/cancelled') {
      await this.#tell({ session: id, cancel: message.params?.requestId as RequestId })
    }
    return local.connection.post(message)
  }

  /** What another process posted. */
  hear({ session, cancel }: Post): void {
    const act = ({ connection }: Local): Promise<void> =>
      cancel === undefined ? connection.close() : connection.receive(cancellation(cancel, 'The client cancelled it'))
    this.#local
      .get(session)
      ?.then(act)
      .catch((error: unknown) => this.#onerror(error, 'hearing of a session'))
  }

  async close(): Promise<void> {
    await Promise.all([...this.#local.values()].map((local) => local.then(({ connection }) => connection.close())))
  }

  #tell(post: Post): Promise<void> {
    return this.#started.post('session', post)
  }

  readonly #onerror = (error: unknown, during: string): void => this.#started.hub.onerror(toError(error), during)

  async #begin(message: JSONRPCRequest, owner: string): Promise<Handled> {
    const id = crypto.randomUUID()
    const { read } = this.#started.storage.transactions
    const now = Date.now()
    await read('DELETE FROM sessions WHERE used_at < $1', [now - kept])
    await read('INSERT INTO sessions (id, owner, initialize, used_at) VALUES ($1, $2, $3, $4)', [
      id,
      owner,
      JSON.stringify(message.params ?? {}),
      now
    ])
    const local = await this.#keep(id, this.#open(id, owner))
    this.#touch(id, local)
    return local.connection.post(message)
  }

  async #find(id: string, owner: string): Promise<Local | undefined> {
    const found = await (this.#local.get(id) ?? this.#restore(id, owner))
    return found?.owner === owner ? found : undefined
  }

  async #restore(id: string, owner: string): Promise<Local | undefined> {
    const [row] = await this.#started.storage.transactions.read<{ initialize: JSONRPCRequest['params'] }>(
      'UPDATE sessions SET used_at = $3 WHERE id = $1 AND owner = $2 RETURNING initialize',
      [id, owner, Date.now()]
    )
    if (row === undefined) return undefined
    const restored = async (): Promise<Local> => {
      const local = await this.#open(id, owner)
      const { connection } = local
      await connection.post({ jsonrpc: '2.0', id: 'restored', method: 'initialize', params: row.initialize })
      await connection.receive({ jsonrpc: '2.0', method: 'notifications/initialized' })
      return local
    }
    return this.#local.get(id) ?? this.#keep(id, restored())
  }

  #keep(id: string, opening: Promise<Local>): Promise<Local> {
    this.#local.set(id, opening)
    opening.catch(() => this.#local.delete(id))
    return opening
  }

  async #open(id: string, owner: string): Promise<Local> {
    const { hub } = this.#started
    const name = newConnection(hub.executor)
    const connection = new HttpConnection(id, {
      onunseen: (requestIds) => {
        for (const requestId of requestIds) session.release(requestId)
        hub.messages
          .giveBack(name, { only: requestIds })
          .catch((error: unknown) => this.#onerror(error, 'returning questions'))
      },
      onreachable: () => hub.reviewQuestions()
    })
    const local: Local = { owner, connection, usedAt: Date.now(), stop: () => undefined }
    const info = { id, connection: name, data: owner }
    const { signal } = connection
    const session = await openSession(hub, { info, transport: connection, holding: [], signal })
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
    this.#started.storage.transactions
      .read('UPDATE sessions SET used_at = $2 WHERE id = $1', [id, now])
      .catch((error: unknown) => this.#onerror(error, 'noting that a session is in use'))
  }

  async #end(id: string, owner: string): Promise<Handled> {
    await this.#started.storage.transactions.read('DELETE FROM sessions WHERE id = $1 AND owner = $2', [id, owner])
    await this.#tell({ session: id })
    await (await this.#local.get(id))?.connection.close()
    return { response: new Response(null, { status: 200 }) }
  }
}
