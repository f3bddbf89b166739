// Open questions, seen from this worker: taken from screens where they no longer belong, and sent after a grace to
// somebody who can answer when nobody waits for the task.

import { toError } from '../errors.js'
import { each } from '../tasks/reconcile.js'
import { after, elapsed } from '../time.js'
import type { RequestRecord, TaskRecord } from '../types.js'
import type { Hub } from './hub.js'
import { type Session, surely } from './session.js'
import { follow } from './take-answer.js'

/** A pending question, and for how long it is left to those who wait for its task. */
interface Wait {
  row: RequestRecord
  /** Milliseconds that it had waited when this began. */
  waited: number
  /** The session to which it is offered first; undefined once it is offered to all. */
  creator: string | undefined
  isDue: boolean
  stop(): void
}

/** It has claimed the question; or nobody has, and its page shows it, or hangs with it. */
const mayShow = (session: Session, { owner, claimedBy, lent }: RequestRecord): boolean =>
  claimedBy === undefined ? !lent && session.owner === owner : session.connection === claimedBy

export class Questions {
  readonly #hub: Hub
  readonly #grace: number
  /** Pending questions by request id. */
  readonly #waits = new Map<string, Wait>()
  /** Claimed by a connection of this worker that did not show them when this was last looked at. */
  #unseen = new Map<string, { at: number; since: number; connection: string }>()
  #stopLooking: (() => void) | undefined

  constructor(hub: Hub, grace: number) {
    this.#hub = hub
    this.#grace = grace
  }

  /** Whether a change of the task concerns us. */
  concerns(taskId: string): boolean {
    for (const { row } of this.#waits.values()) if (row.taskId === taskId) return true
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
    for (const [requestId, { row }] of this.#waits) if (row.taskId === taskId) settled.add(requestId)
    for (const row of open) {
      settled.delete(row.requestId)
      this.see(row, task)
    }
    for (const requestId of settled) this.#settle(requestId)
  }

  /** Acts on one request as it is now. */
  see(row: RequestRecord, task: TaskRecord | undefined): void {
    const { requestId, state } = row
    if (state !== 'pending' && state !== 'delivered') return this.#settle(requestId)
    this.#withdraw(requestId, 'The question was taken elsewhere', (session) => mayShow(session, row))
    if (state === 'delivered') return this.#stop(requestId)
    if (row.lent) return this.#hub.lenders.route(row)
    if (this.#shownBy(row)) this.#hub.reviewQuestions()
    if (!this.#waits.has(requestId)) this.#wait(row, task?.session)
  }

  /** Compares all that are open with the screens and timers of this worker, and looks at each task where they differ. */
  async review(): Promise<void> {
    const known = this.#known()
    const open = await this.#regain(await this.#hub.messages.open({ owner: this.#owners() }))
    for (const row of open) known.delete(row.requestId)
    const settled = [...known.values()]
    await each(
      new Set([...settled, ...open.filter((row) => this.#differs(row)).map(({ taskId }) => taskId)]),
      (taskId) => this.#reviewTask(taskId)
    )
    await this.#giveBackUnseen(open)
  }

  /** Whose questions concern this worker: a database of a server has those of everybody. */
  #owners(): string[] {
    const owners = new Set([...this.#hub.sessions].map(({ owner }) => owner))
    for (const { row } of this.#waits.values()) owners.add(row.owner)
    return [...owners]
  }

  /** Request id → task id of all that this worker shows or waits for. */
  #known(): Map<string, string> {
    const known = new Map([...this.#waits].map(([requestId, { row }]) => [requestId, row.taskId]))
    for (const { held } of this.#hub.sessions) for (const [requestId, taskId] of held) known.set(requestId, taskId)
    return known
  }

  #differs(row: RequestRecord): boolean {
    const isTimed = this.#waits.has(row.requestId)
    const isElsewhere = [...this.#hub.sessions].some(
      (session) => session.held.has(row.requestId) && !mayShow(session, row)
    )
    return isElsewhere || isTimed !== (row.state === 'pending')
  }

  /** What a page shows is its own again, if nobody else has it: the page hung, and others were asked in vain. */
  #regain(open: readonly RequestRecord[]): Promise<RequestRecord[]> {
    return Promise.all(
      open.map(async (row) => {
        const by = row.state === 'pending' ? this.#shownBy(row) : undefined
        return by === undefined
          ? row
          : ((await this.#hub.messages.take(row.requestId, row.owner, by.claimant, true)) ?? row)
      })
    )
  }

  /** The session whose page shows a question that it need not have claimed. */
  #shownBy(row: RequestRecord): Session | undefined {
    return [...this.#hub.sessions].find(
      (session) => session.held.has(row.requestId) && !session.late.has(row.requestId) && mayShow(session, row)
    )
  }

  /**
   * Whoever claimed it was told that the store is busy, or left the wait: nobody shows it, though the connection lives. Or
   * its page hangs.
   */
  async #giveBackUnseen(open: readonly RequestRecord[]): Promise<void> {
    const late = new Map<string, Session>()
    const unseen = new Map<string, { at: number; since: number; connection: string }>()
    for (const row of open) {
      const { requestId, claimedBy, deliveredAt = 0 } = row
      const by = [...this.#hub.sessions].find(({ connection }) => connection === claimedBy)
      if (by === undefined || !by.ready) continue
      follow(this.#hub, by, row)
      if (by.late.has(requestId)) late.set(requestId, by)
      if (by.held.has(requestId)) continue
      const before = this.#unseen.get(requestId)
      const since = before?.at === deliveredAt && before.connection === by.connection ? before.since : elapsed()
      unseen.set(requestId, { at: deliveredAt, since, connection: by.connection })
    }
    this.#unseen = unseen
    this.#stopLooking?.()
    if (unseen.size > 0) this.#stopLooking = after(surely, () => this.#hub.reviewQuestions())
    const sure = [...unseen].filter(([, { since }]) => elapsed() - since >= surely)
    await each([...late, ...sure], ([requestId, { connection }]) =>
      this.#hub.messages.giveBack(connection, { only: [requestId] })
    )
  }

  async #reviewTask(taskId: string): Promise<void> {
    this.look(taskId, ...(await this.#read(taskId)))
  }

  /** The questions last: nothing may come between that read and a look at it. */
  async #read(taskId: string): Promise<[TaskRecord | undefined, RequestRecord[]]> {
    const task = await this.#hub.tasks.get(taskId)
    return [task, await this.#hub.messages.open({ taskId })]
  }

  close(): void {
    this.#stopLooking?.()
    for (const requestId of this.#waits.keys()) this.#stop(requestId)
  }

  /** A question that came back gets a new grace, so that a tab that reloads finds it before another does. */
  #wait(row: RequestRecord, creator: string | undefined): void {
    const waited = row.deliveredAt === undefined ? Math.max(0, Date.now() - row.enqueuedAt) : 0
    const wait: Wait = { row, waited, creator, isDue: false, stop: () => undefined }
    this.#waits.set(row.requestId, wait)
    this.#arm(wait, this.#grace - waited)
  }

  #arm(wait: Wait, ms: number): void {
    wait.isDue = false
    wait.stop = after(ms, () => {
      wait.isDue = true
      this.#hub.offerQuestions()
    })
  }

  /** Offers what has waited long enough: first to the session that created the task, some time later to any. */
  async offer(): Promise<void> {
    await each(
      [...this.#waits.values()].filter(({ isDue }) => isDue),
      (wait) => this.#offerOne(wait)
    )
  }

  async #offerOne(wait: Wait): Promise<void> {
    const { row, waited, creator } = wait
    const isTaken = await this.#offer(row, ({ id }) => creator === undefined || id === creator)
    if (this.#waits.get(row.requestId) !== wait) return
    if (isTaken) {
      // Whoever took it may be gone already, and then its grace begins anew.
      const now = await this.#read(row.taskId)
      this.#stop(row.requestId)
      this.look(row.taskId, ...now)
    } else if (creator !== undefined) {
      wait.creator = undefined
      this.#arm(wait, Math.min(this.#grace, 2 * this.#grace - waited))
    } else this.#stop(row.requestId)
  }

  async #offer({ requestId, owner, needs }: RequestRecord, fits: (session: Session) => boolean): Promise<boolean> {
    for (const session of this.#hub.sessions) {
      if (session.owner !== owner || !session.reachable || !fits(session)) continue
      if (!needs.every((need) => session.can.includes(need))) continue
      const taken = await this.#hub.messages.take(requestId, owner, session.claimant, true)
      // It is on its way to a screen, or settled.
      if (taken === undefined || session.held.has(requestId)) return true
      // Not awaited: a page that hangs holds up no other question.
      session
        .deliver(taken)
        .catch(() => this.#hub.messages.giveBack(session.connection, { only: [requestId] }))
        .catch((error: unknown) => {
          this.#hub.onerror(toError(error), `returning ${requestId}`)
          this.#hub.reviewQuestions()
        })
      return true
    }
    return false
  }

  #settle(requestId: string): void {
    this.#withdraw(requestId, 'The question is settled')
    this.#stop(requestId)
  }

  #withdraw(requestId: string, why: string, keeps: (session: Session) => boolean = () => false): void {
    for (const session of this.#hub.sessions) {
      if (session.held.has(requestId) && !keeps(session)) session.withdraw(requestId, why)
    }
  }

  #stop(requestId: string): void {
    this.#waits.get(requestId)?.stop()
    this.#waits.delete(requestId)
  }
}
