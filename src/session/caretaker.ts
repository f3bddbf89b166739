// What a worker owes others, and does again after a failure: it recovers tasks that nobody runs, returns claims that nobody
// holds, sees to it that questions are offered, ends what must end, and reads again what it may have missed.

import { toError } from '../errors.js'
import { connectionLock } from '../link/locks.js'
import type { End } from '../tasks/outcome.js'
import { each, Reconciler } from '../tasks/reconcile.js'
import { recover, type Recovery } from '../tasks/recover.js'
import { at } from '../time.js'
import type { Locks, Retention } from '../types.js'
import type { Hub } from './hub.js'
import { lentBefore } from './lent-tools.js'

export interface Charge {
  retention: Retention
  /** Reads one task and tells of it whoever is concerned. */
  read(taskId: string): Promise<void>
  /** Compares the open questions with the screens and timers of this worker. */
  review(): Promise<void>
  /** Offers the questions for which nobody came. */
  offer(): Promise<void>
  /** Notes whose outcomes were fetched. */
  noteFetched(): Promise<void>
}

type Name = 'workers' | 'claims' | 'questions' | 'offers' | 'ends' | 'doubts' | 'fetched' | 'expiry'

export class Caretaker {
  readonly #hub: Hub
  readonly #locks: Locks
  readonly #prefix: string
  readonly #charge: Charge
  readonly #recovery: Recovery
  readonly #closing = new AbortController()
  /** Locks whose end this worker awaits. */
  readonly #watched = new Set<string>()
  /** Connections that ended here: whatever their locks say, they hold nothing. */
  readonly #left = new Set<string>()
  readonly #ends = new Map<string, { end: End; ended(): void }>()
  readonly #doubts = new Set<string>()
  #unknown = new Set<string>()
  #next = Infinity
  #stop: (() => void) | undefined
  readonly #reconciler: Reconciler<Name>

  /** All workers of this database hold locks whose names start with the prefix. */
  constructor(hub: Hub, locks: Locks, prefix: string, charge: Charge) {
    this.#hub = hub
    this.#locks = locks
    this.#prefix = prefix
    this.#charge = charge
    const { tasks, roster, runner, tools, executor, bus } = hub
    const onrecovered: Recovery['onrecovered'] = (task) => hub.emit({ type: 'recovered', task })
    const toolOf: Recovery['toolOf'] = ({ lent, tool }) => (lent ? lentBefore(tool) : tools.get(tool))
    this.#recovery = { tasks, roster, runner, toolOf, executor, onrecovered }
    this.#reconciler = new Reconciler<Name>(
      {
        workers: () => this.#workers(),
        claims: () => this.#claims(),
        questions: () => this.#charge.review(),
        offers: () => this.#charge.offer(),
        ends: () => this.#endAll(),
        doubts: () => this.#readAll(),
        fetched: () => this.#charge.noteFetched(),
        expiry: () => this.#sweep()
      },
      { onerror: (error, during) => hub.onerror(error, during), oninterval: () => bus.wakeAll() }
    )
  }

  /** Resolves when everything was tried once; what failed is tried again. */
  async start(): Promise<void> {
    this.#hub.bus.greet(this.#hub.executor, (worker) => this.#watchWorker(worker))
    // What has expired, no write finds any more, swept or not.
    this.#reconciler.soon('expiry')
    await this.#reconciler.run('workers', 'claims')
    await this.#reconciler.run('questions')
  }

  /** Something differs, or may: compares at once. */
  soon(...names: Name[]): void {
    this.#reconciler.soon(...names)
  }

  /** A connection ended: nobody looks at what it showed. */
  left(connection: string): void {
    this.#left.add(connection)
    this.#reconciler.soon('claims')
  }

  /** A connection is there again. */
  joined(connection: string): void {
    this.#left.delete(connection)
  }

  /** Ends a task unless it has ended by then; it will not be run here. Resolves when it has ended, however often that is tried. */
  end(taskId: string, end: End): Promise<void> {
    const before = this.#ends.get(taskId)
    return new Promise((resolve) => {
      const ended = (): void => {
        before?.ended()
        resolve()
      }
      this.#ends.set(taskId, { end, ended })
      this.#reconciler.soon('ends')
    })
  }

  /** What is known of these tasks may be wrong. */
  doubt(taskIds: Iterable<string>): void {
    for (const taskId of taskIds) this.#doubts.add(taskId)
    this.#reconciler.soon('doubts')
  }

  /** The rows may be gone, all of them: reads everything again. */
  doubtAll(told: Iterable<string>): void {
    this.doubt([...told, ...this.#hub.runner.ids])
    this.#hub.bus.wakeAll()
    this.#reconciler.soon('workers', 'claims', 'questions', 'expiry')
  }

  /** Something expires then: sweeps no later. */
  expect(time: number): void {
    if (this.#closing.signal.aborted || time >= this.#next) return
    this.#stop?.()
    this.#next = time
    this.#stop = at(time, () => {
      this.#next = Infinity
      this.#reconciler.soon('expiry')
    })
  }

  close(): void {
    this.#closing.abort()
    this.#reconciler.close()
    this.#stop?.()
  }

  async #workers(): Promise<void> {
    const { executor, roster, runner } = this.#hub
    const running = runner.ids
    const executors = await roster.executors()
    // Asked after the rows were read: who began meanwhile held its lock before it ran a task.
    const held = new Set(await this.#locks.held(this.#prefix))
    for (const worker of held) this.#watchWorker(worker)
    const unknown = new Set<string>()
    await each(
      executors.filter((other) => other === executor || !held.has(other)),
      async (other) => {
        for (const task of await recover(this.#recovery, other)) {
          unknown.add(task.taskId)
          if (!this.#unknown.has(task.taskId)) this.#hub.emit({ type: 'unknown_tool', task })
        }
      }
    )
    this.#unknown = unknown
    const mine = running.length === 0 ? [] : await roster.unfinished(executor)
    const missed = running.filter((taskId) => !mine.some((task) => task.taskId === taskId))
    if (missed.length > 0) this.doubt(missed)
  }

  async #claims(): Promise<void> {
    const { roster, messages, sessions } = this.#hub
    const left = [...this.#left]
    const claimants = await roster.claimants()
    const held = new Set(await this.#locks.held(connectionLock('')))
    await each(claimants, async (connection) => {
      const lock = connectionLock(connection)
      if (held.has(lock) && !this.#left.has(connection)) this.#watch(lock, () => this.soon('claims'))
      else if (![...sessions].some((session) => session.connection === connection)) await messages.giveBack(connection)
    })
    for (const connection of left) this.#left.delete(connection)
  }

  #endAll(): Promise<void> {
    const { tasks, runner, emit } = this.#hub
    return each([...this.#ends], async ([taskId, wanted]) => {
      const task = await tasks.finish({ taskId }, wanted.end)
      if (this.#ends.get(taskId) === wanted) this.#ends.delete(taskId)
      runner.release(taskId)
      if (task !== undefined) {
        runner.observe(taskId, task)
        emit({ type: 'finished', task })
      }
      wanted.ended()
    })
  }

  #readAll(): Promise<void> {
    return each([...this.#doubts], async (taskId) => {
      this.#doubts.delete(taskId)
      await this.#charge.read(taskId).catch((error: unknown) => {
        this.#doubts.add(taskId)
        throw error
      })
    })
  }

  async #sweep(): Promise<void> {
    const next = await this.#charge.retention.sweep()
    if (next !== undefined) this.expect(next)
  }

  #watchWorker(worker: string): void {
    if (worker === this.#hub.executor || !worker.startsWith(this.#prefix)) return
    this.#watch(worker, () => {
      // It may have committed and died before it published.
      this.#hub.bus.wakeAll()
      this.soon('workers', 'claims')
    })
  }

  #watch(lock: string, onfree: () => void): void {
    if (this.#watched.has(lock)) return
    this.#watched.add(lock)
    const { signal } = this.#closing
    this.#locks
      .free(lock, signal)
      .finally(() => this.#watched.delete(lock))
      .then(onfree)
      .catch((error: unknown) => {
        if (!signal.aborted) this.#hub.onerror(toError(error), `watching ${lock}`)
      })
  }
}
