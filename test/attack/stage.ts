// Two workers, several connections and whoever waits, on one database; and what must hold of each task at rest.

import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import { openBus } from '../../src/bus/update-bus.js'
import { openStorage, type Storage } from '../../src/storage/open-storage.js'
import { cancelledEnd } from '../../src/tasks/outcome.js'
import { fenceOf } from '../../src/tasks/status.js'
import { Waiters } from '../../src/tasks/waiters.js'
import type { Capability, Fence, MessageRecord, Outcome, UpdateBus } from '../../src/types.js'
import type { Random } from '../support/random.js'
import { settledWithin, turn } from '../support/turns.js'
import { Model, type ModelTask } from './model.js'
import type { Listener } from './modern-acts.js'
import { Watcher } from './watcher.js'

export interface Worker extends Storage {
  bus: UpdateBus
  waiters: Waiters
  executor: string
  watcher: Watcher
}

export interface Waiter {
  taskId: string
  connection: string
  worker: Worker
  leave: AbortController
  task: ModelTask
  done: Promise<void>
  settled: boolean
  /** What it was answered with; undefined when it left, or the task was gone. */
  outcome?: Outcome
  code?: unknown
}

export const needs: Capability[] = ['elicitation.form']
export const can = needs
export const connections = ['c1', 'c2', 'c3', 'c4']
export const ttl = 60_000

export class Stage {
  readonly model = new Model()
  readonly acts = new Map<string, number>()
  readonly name = `model:${crypto.randomUUID()}`
  readonly random: Random
  readonly tick: (ms: number) => void
  workers: Worker[] = []
  waiters: Waiter[] = []
  readonly listeners = new Set<Listener>()
  /** Proofs of runs that may be over: a frozen worker, or one that was superseded, still has them. */
  fences: Fence[] = []
  /** Tasks of which something was announced since somebody last looked. */
  readonly heard = new Set<string>()
  /** Who shows which question. */
  readonly holders = new Map<string, string>()
  readonly #shownTwice: string[] = []
  n = 0

  constructor(random: Random, tick: (ms: number) => void) {
    this.random = random
    this.tick = tick
  }

  async open(workers: number): Promise<void> {
    while (this.workers.length < workers) this.workers.push(await this.start())
  }

  /** Ends everything; whoever waits must have been answered. */
  async close(): Promise<void> {
    for (const task of this.model.tasks.values()) await this.end(task, cancelledEnd.outcome)
    await this.quiet()
    expect(await settledWithin(Promise.all(this.waiters.map(({ done }) => done)), 2000)).not.toBe('hung')
    this.collect()
    for (const listener of this.listeners) listener.stop()
    await this.quiet()
    for (const worker of this.workers) this.stop(worker)
  }

  async start(): Promise<Worker> {
    const bus = openBus(this.name)
    bus.listen((taskId) => this.heard.add(taskId))
    const storage = await openStorage({
      name: this.name,
      publish: (taskId, left) => bus.publish(taskId, left),
      limits: { kept: 100_000 }
    })
    const executor = `executor:${++this.n}`
    bus.greet(executor, () => undefined)
    const waiters = new Waiters(storage.messages, bus, (error) => {
      throw error
    })
    const watcher = new Watcher({ ...storage, bus })
    await watcher.open()
    return { ...storage, bus, waiters, executor, watcher }
  }

  stop(worker: Worker): void {
    for (const listener of this.listeners) if (listener.worker === worker) this.listeners.delete(listener)
    worker.watcher.close()
    worker.bus.close()
    worker.close()
  }

  get worker(): Worker {
    const worker = this.random.pick(this.workers)
    if (worker === undefined) throw new Error('No worker lives')
    return worker
  }

  some(): ModelTask | undefined {
    const tasks = [...this.model.tasks.values()]
    const live = tasks.filter((task) => !task.end)
    return this.random.pick(this.random.chance(0.9) && live.length > 0 ? live : tasks)
  }

  count(name: string): void {
    this.acts.set(name, (this.acts.get(name) ?? 0) + 1)
  }

  async end(task: ModelTask, outcome: Outcome): Promise<void> {
    const must = this.model.end(task.taskId, 'cancelled', outcome)
    const ended = await this.worker.tasks.finish({ taskId: task.taskId }, { ...cancelledEnd, outcome })
    expect(ended !== undefined, 'a task is cancelled once').toBe(must)
  }

  /** A run says how far it is: a message, progress, or both. */
  async report(fence: Fence): Promise<void> {
    const n = ++this.n
    const must = this.model.holds(fence)
    const progress = this.random.chance(0.5) ? { progress: this.random.chance(0.2) ? 0 : n, total: 1e6 } : undefined
    const isSaid = progress === undefined || this.random.chance(0.5)
    const change = { ...(isSaid && { statusMessage: `report ${n}` }), ...(progress && { progress }) }
    const task = await this.worker.tasks.report(fence, change)
    expect(task !== undefined, 'a report is stored exactly while the fence holds').toBe(must)
    if (task) expect(task.progress, 'progress never goes back').toEqual(this.model.report(fence.taskId, progress))
  }

  /** A waiting connection gets a message. */
  shows(connection: string, message: MessageRecord): void {
    if (message.kind !== 'request') return
    const { requestId } = message
    const holder = this.holders.get(requestId)
    if (holder !== undefined) this.#shownTwice.push(`${requestId} by ${connection}, while ${holder} shows it`)
    this.holders.set(requestId, connection)
  }

  /** Several workers take over what one left; each task goes to one of them. */
  async adopt(from: string, heirs: readonly Worker[]): Promise<undefined> {
    const [heir] = heirs
    for (const task of (await heir?.roster.unfinished(from)) ?? []) {
      const all = heirs.map((worker) => worker.roster.adopt(fenceOf(task), worker.executor))
      const adopted = (await Promise.all(all)).filter((one) => one !== undefined)
      expect(adopted, 'one of two heirs wins').toHaveLength(1)
      const [won] = adopted
      if (won === undefined) continue
      expect(won.task.attempt, 'each run has a number of its own').toBe(task.attempt + 1)
      Object.assign(this.model.task(task.taskId), { executor: won.task.executor, attempt: won.task.attempt })
      this.fences.push(fenceOf(won.task))
    }
  }

  /** Lets everything that is not waiting for the next act come to rest. */
  async quiet(): Promise<void> {
    for (let i = 0; i < 24; i++) await turn()
  }

  /** Waits for the rows to be told; what a tab last heard is then what it would read. */
  async rest(): Promise<void> {
    await this.quiet()
    for (const { watcher } of this.workers) {
      const fresh = await watcher.fresh()
      for (let i = 0; i < 400 && !isDeepStrictEqual(watcher.heard, fresh); i++) await turn()
      expect(watcher.heard, 'who watches has heard of all').toEqual(fresh)
    }
  }

  /** Those who were answered had the one outcome; those who were not had left, or their task was gone. */
  collect(): void {
    expect(this.#shownTwice, 'nobody is shown what somebody shows').toEqual([])
    for (const { settled, outcome, code, task } of this.waiters) {
      if (!settled) continue
      if (code === undefined) expect(outcome, 'every waiter gets the same').toEqual(task.end?.outcome)
      else expect([-32602, 'left', 'closed']).toContain(code)
    }
    this.waiters = this.waiters.filter(({ settled }) => !settled)
  }

  async look(taskId: string): Promise<void> {
    const task = this.model.tasks.get(taskId)
    const worker = this.worker
    const now = await worker.tasks.get(taskId)
    if (task === undefined) return expect(now).toBeUndefined()
    expect(now?.status, 'no illegal transition').toBe(this.model.status(task))
    expect(now?.progress, 'no progress is lost').toEqual(task.progress)
    const open = await worker.messages.open({ taskId })
    expect(open.map(({ requestId }) => requestId).sort(), 'no question is lost or comes back').toEqual(
      this.model
        .open(task)
        .map(({ requestId }) => requestId)
        .sort()
    )
    expect(now?.openRequests).toBe(open.length)
    for (const row of open) expect(row.claimedBy !== undefined, 'one holder, or none').toBe(row.state === 'delivered')
    for (const question of task.questions.values()) {
      const row = await worker.messages.request(taskId, question.requestId)
      expect(row?.answer, 'no answer is lost or changed').toEqual(question.answer)
      const closed = question.answer ? 'answered' : task.end && 'withdrawn'
      if (closed === undefined) continue
      expect([row?.state, row?.claimedBy], 'a settled question stays settled').toEqual([closed, undefined])
    }
    const waiting = this.waiters.filter((waiter) => waiter.taskId === taskId && !waiter.settled)
    const able = waiting.filter(({ worker: at, leave }) => this.workers.includes(at) && !leave.signal.aborted)
    if (task.end) expect(able, 'nobody waits for a task that has ended').toEqual([])
    else if (able.length > 0)
      expect(
        open.filter(({ state, lent }) => state === 'pending' && !lent),
        'no question waits while somebody could show it'
      ).toEqual([])
  }
}
