// The worker's half: which connection lends what, and which one gets a call.

import { toError } from '../errors.js'
import { toolNameOf } from '../ids.js'
import { persist } from '../tasks/persist.js'
import { pause } from '../time.js'
import type { Capability, MessageQueue, RequestRecord } from '../types.js'
import type { Lending, LentTool } from './lend.js'

/** What is needed of a session. */
export interface LendingSession {
  readonly owner: string
  readonly connection: string
  readonly signal: AbortSignal
  tell(method: string, params: Record<string, never>): void
  /** Sends a claimed call to the page; rejects when the page cannot have got it. */
  deliver(row: RequestRecord): Promise<void>
}

export interface LendersHost {
  readonly messages: Pick<MessageQueue, 'take' | 'giveBack' | 'open'>
  readonly sessions: Iterable<LendingSession>
  onerror(error: Error, during: string): void
}

export class Lenders {
  readonly #host: LendersHost
  readonly #lent = new Map<LendingSession, Lending>()
  readonly #closing = new AbortController()
  /** Told when a tab lends anything. */
  readonly #onlent = new Set<() => void>()

  constructor(host: LendersHost) {
    this.#host = host
  }

  /** Each name once, as the tab that has lent it longest describes it. */
  tools(owner: string): LentTool[] {
    const found = new Map<string, LentTool>()
    for (const [session, { tools }] of this.#lent) {
      if (session.owner !== owner) continue
      for (const tool of tools) if (!found.has(tool.name)) found.set(tool.name, tool)
    }
    return [...found.values()]
  }

  tool(owner: string, name: string): LentTool | undefined {
    return this.#lent.size === 0 ? undefined : this.tools(owner).find((tool) => tool.name === name)
  }

  /** Waits a while for a tab that lends the tool: after a worker's death a call may come back sooner than its lender. */
  async expect(owner: string, name: string, patience: number, signal: AbortSignal): Promise<LentTool | undefined> {
    const known = this.tool(owner, name)
    if (known !== undefined) return known
    const over = new AbortController()
    const lent = new Promise<LentTool>((resolve) => {
      const look = (): void => {
        const tool = this.tool(owner, name)
        if (tool !== undefined) resolve(tool)
      }
      this.#onlent.add(look)
      over.signal.addEventListener('abort', () => this.#onlent.delete(look), { once: true })
    })
    const late = pause(patience, AbortSignal.any([signal, this.#closing.signal, over.signal]))
    return Promise.race([lent, late.then(() => undefined)]).finally(() => {
      over.abort()
      late.catch(() => undefined)
    })
  }

  /** Replaces what a session lends, and gives it the calls that waited for that. */
  async lend(session: LendingSession, lending: Lending): Promise<void> {
    if (session.signal.aborted) return
    const fresh = new Set(lending.tools.map(({ name }) => name))
    for (const { name } of this.#lent.get(session)?.tools ?? []) fresh.delete(name)
    this.#change(session, lending)
    if (fresh.size === 0) return
    for (const row of await this.#host.messages.open({ owner: session.owner })) {
      if (row.lent && row.state === 'pending' && fresh.has(toolNameOf(row.params))) this.route(row)
    }
  }

  leave(session: LendingSession): void {
    if (this.#lent.has(session)) this.#change(session)
  }

  /** Hands a pending call to the best tab that lends its tool; without one the call waits. */
  route(row: RequestRecord): void {
    const { signal } = this.#closing
    persist(() => this.#route(row), signal).catch((error: unknown) => {
      if (!signal.aborted) this.#host.onerror(toError(error), `calling ${toolNameOf(row.params)} in a tab`)
    })
  }

  close(): void {
    this.#closing.abort()
  }

  async #route({ requestId, owner, needs, params }: RequestRecord): Promise<void> {
    const name = toolNameOf(params)
    for (const [session, page, tool] of this.#best(owner, name)) {
      const { readOnlyHint, idempotentHint } = tool.annotations ?? {}
      const claimant = {
        connection: session.connection,
        can: needs as readonly Capability[],
        tab: { name: page, once: !readOnlyHint && !idempotentHint }
      }
      const taken = await this.#host.messages.take(requestId, owner, claimant, true)
      // Somebody else runs it, or nobody needs it any more.
      if (taken === undefined) return
      try {
        return await session.deliver(taken)
      } catch {
        const only = { only: [requestId] }
        await persist(() => this.#host.messages.giveBack(session.connection, only), this.#closing.signal)
      }
    }
  }

  /** Those that lend the tool: visible tabs first, then those that had the focus last. */
  #best(owner: string, name: string): [LendingSession, page: string, LentTool][] {
    return [...this.#lent]
      .filter(([session]) => session.owner === owner && !session.signal.aborted)
      .sort(([, a], [, b]) => Number(b.visible) - Number(a.visible) || b.focusedAt - a.focusedAt)
      .flatMap(([session, { page, tools }]) => {
        const tool = tools.find((each) => each.name === name)
        return tool === undefined ? [] : [[session, page, tool] as [LendingSession, string, LentTool]]
      })
  }

  /** Tells all sessions of the owner when that changed the list. */
  #change(session: LendingSession, lending?: Lending): void {
    const { owner } = session
    const before = JSON.stringify(this.tools(owner))
    if (lending === undefined || lending.tools.length === 0) this.#lent.delete(session)
    else this.#lent.set(session, lending)
    for (const look of this.#onlent) look()
    if (JSON.stringify(this.tools(owner)) === before) return
    for (const other of this.#host.sessions) {
      if (other.owner === owner) other.tell('notifications/tools/list_changed', {})
    }
  }
}
