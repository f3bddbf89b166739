// Open questions, seen from this worker: taken from screens where they no longer belong, and sent after a grace to
// somebody who can answer when nobody waits for the task.

import { toError } from '../errors.js'
import { persist } from '../tasks/persist.js'
import { after } from '../time.js'
import type { RequestRecord, TaskRecord } from '../types.js'
import type { Hub } from './hub.js'
import type { Session } from './session.js'

export class Questions {
  readonly #hub: Hub
  readonly #grace: number
  /** Request id → how to stop its timer. */
  readonly #timers = new Map<string, { taskId: string; stop(): void }>()
  readonly #closing = new AbortController()

  constructor(hub: Hub, grace: number) {
    this.#hub = hub
    this.#grace = grace
  }

  /** Whether a change of the task concerns us. */
  concerns(taskId: string): boolean {
    for (const timer of this.#timers.values()) if (timer.taskId === taskId) return true
    for (const session of this.#hub.sessions) {
      for (const held of session.held.values()) if (held === taskId) return true
    }
    return false
  }

  /** Acts on the open requests of one task as they are now. */
  look(taskId: string, task: TaskRecord | undefined, open: readonly RequestRecord[]): void {
    const settled = new Set<string>()
    for (const session of this.#hub.sessions) {
      for (const [requestId, of] of session.held) if (of === taskId) settled.add(requestId)
    }
    for (const [requestId, timer] of this.#timers) if (timer.taskId === taskId) settled.add(requestId)
    for (const row of open) {
      settled.delete(row.requestId)
      this.see(row, task)
    }
    for (const requestId of settled) this.#settle(requestId)
  }

  /** Acts on one request as it is now. */
  see(row: RequestRecord, task: TaskRecord | undefined): void {
    const { requestId, state, claimedBy } = row
    if (state !== 'pending' && state !== 'delivered') return this.#settle(requestId)
    this.#withdraw(requestId, 'The question was taken elsewhere', claimedBy)
    if (state === 'delivered') this.#stop(requestId)
    else if (!this.#timers.has(requestId)) this.#wait(row, task?.session)
  }

  /** A client that came may be the one who can answer what waits, or hold what is settled. */
  async review(session: Session): Promise<void> {
    const open = await this.#hub.messages.open({ owner: session.owner })
    const taskIds = new Set([...session.held.values(), ...open.map((row) => row.taskId)])
    for (const taskId of taskIds) await this.reviewTask(taskId)
  }

  async reviewTask(taskId: string): Promise<void> {
    this.look(taskId, await this.#hub.tasks.get(taskId), await this.#hub.messages.open({ taskId }))
  }

  close(): void {
    this.#closing.abort()
    for (const requestId of this.#timers.keys()) this.#stop(requestId)
  }

  /** A question that came back gets a new grace, so that a tab that reloads finds it before another does. */
  #wait(row: RequestRecord, creator: string | undefined): void {
    const waited = row.deliveredAt === undefined ? Math.max(0, Date.now() - row.enqueuedAt) : 0
    this.#arm(
      row,
      this.#grace - waited,
      (session) => session.id === creator,
      () => {
        this.#arm(
          row,
          Math.min(this.#grace, 2 * this.#grace - waited),
          () => true,
          () => this.#stop(row.requestId)
        )
      }
    )
  }

  #arm(row: RequestRecord, ms: number, fits: (session: Session) => boolean, otherwise: () => void): void {
    const stop = after(ms, () => {
      const { signal } = this.#closing
      persist(() => this.#offer(row, fits), signal)
        .then(async (sent) => {
          if (sent) await this.#settled(row)
          else if (this.#timers.has(row.requestId)) otherwise()
        })
        .catch((error: unknown) => {
          this.#stop(row.requestId)
          if (!signal.aborted) this.#hub.onerror(toError(error), `delivering ${row.requestId}`)
        })
    })
    this.#timers.set(row.requestId, { taskId: row.taskId, stop })
  }

  /** Somebody shows it, or did: whoever took it may be gone already, and then its grace begins anew. */
  async #settled({ requestId, taskId }: RequestRecord): Promise<void> {
    this.#stop(requestId)
    await this.reviewTask(taskId)
  }

  async #offer({ requestId, owner, needs }: RequestRecord, fits: (session: Session) => boolean): Promise<boolean> {
    for (const session of this.#hub.sessions) {
      if (session.owner !== owner || !session.ready || !fits(session)) continue
      if (!needs.every((need) => session.can.includes(need))) continue
      const taken = await this.#hub.messages.take(requestId, owner, session.claimant, true)
      if (taken === undefined) return true
      try {
        await session.deliver(taken)
        return true
      } catch {
        await this.#hub.messages.giveBack(session.connection, { only: [requestId] })
      }
    }
    return false
  }

  #settle(requestId: string): void {
    this.#withdraw(requestId, 'The question is settled')
    this.#stop(requestId)
  }

  /** Takes it from every screen but that of the connection that shows it. */
  #withdraw(requestId: string, why: string, shownBy?: string): void {
    for (const session of this.#hub.sessions) {
      if (session.connection !== shownBy && session.held.has(requestId)) session.withdraw(requestId, why)
    }
  }

  #stop(requestId: string): void {
    this.#timers.get(requestId)?.stop()
    this.#timers.delete(requestId)
  }
}
