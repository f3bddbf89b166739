// What a worker does for others: recovers the tasks of dead workers and returns the claims of dead connections.

import { toError } from '../errors.js'
import { type Peers, watchPeers } from '../tasks/peers.js'
import { failUnknown, recover, type Recovery } from '../tasks/recover.js'
import { until } from '../time.js'
import { connectionLock } from '../link/locks.js'
import type { Locks } from '../types.js'
import type { Hub } from './hub.js'

/** Stands in `executor` of a task that a worker gave up. */
const nobody = ''

/** The last wall against a wake-up that was lost all the same. */
const reread = 30_000

/** How long a worker that lacks a tool leaves the task to one that has it. */
const patience = 2000

export class Caretaker {
  readonly #hub: Hub
  readonly #locks: Locks
  readonly #recovery: Recovery
  readonly #closing = new AbortController()
  readonly #watched = new Set<string>()
  #peers: Peers | undefined

  constructor(hub: Hub, locks: Locks) {
    this.#hub = hub
    this.#locks = locks
    const { tasks, roster, runner, tools, executor } = hub
    const onrecovered: Recovery['onrecovered'] = (task) => hub.emit({ type: 'recovered', task })
    this.#recovery = { tasks, roster, runner, tools, executor, onrecovered }
  }

  /** Resolves when nothing is left with the dead of before; goes on watching the living. */
  async start(prefix: string): Promise<void> {
    const { executor, bus } = this.#hub
    this.#peers = await watchPeers(
      this.#locks,
      bus,
      { prefix, self: executor },
      { ondeath: (worker) => this.#ondeath(worker), onerror: (error) => this.#hub.onerror(error, 'watching workers') }
    )
    // Side by side: the search for claims would wait behind the writes of the tasks that run again.
    await Promise.all([this.#recoverAll(prefix), this.#watchClaimants()])
    const timer = setInterval(() => bus.wakeAll(), reread)
    this.#closing.signal.addEventListener('abort', () => clearInterval(timer), { once: true })
  }

  async #recoverAll(prefix: string): Promise<void> {
    const { executor, roster } = this.#hub
    const left = (await roster.executors()).filter((other) => other !== executor && !this.#peers?.alive.has(other))
    if (left.length === 0) return
    // Asked after the rows were read: who began meanwhile held its lock before it ran a task, and is heard of later.
    const held = await this.#locks.held(prefix)
    for (const other of left) if (!held.includes(other)) await this.recover(other)
  }

  /** Takes over what an executor left; '' for tasks that somebody gave up. */
  async recover(executor: string = nobody): Promise<void> {
    const unknown = await recover(this.#recovery, executor)
    if (unknown.length === 0) return
    const alone = (this.#peers?.alive.size ?? 0) === 0
    if (alone) return failUnknown(this.#recovery, unknown)
    const failed = until(Date.now() + patience, this.#closing.signal).then(() => failUnknown(this.#recovery, unknown))
    this.#quietly(failed, 'recovering')
  }

  close(): void {
    this.#closing.abort()
    this.#peers?.close()
  }

  async #ondeath(worker: string): Promise<void> {
    // It may have committed and died before it published.
    this.#hub.bus.wakeAll()
    await this.recover(worker)
    await this.#watchClaimants()
  }

  /** Connections of other workers, or of none by now: whoever sees their lock free returns their claims. */
  async #watchClaimants(): Promise<void> {
    for (const connection of await this.#hub.roster.claimants()) {
      if (this.#watched.has(connection)) continue
      this.#watched.add(connection)
      const back = this.#locks
        .free(connectionLock(connection), this.#closing.signal)
        .then(() => this.#hub.messages.giveBack(connection))
        .finally(() => this.#watched.delete(connection))
      this.#quietly(back, 'returning claims')
    }
  }

  #quietly(work: Promise<unknown>, during: string): void {
    work.catch((error: unknown) => {
      if (!this.#closing.signal.aborted) this.#hub.onerror(toError(error), during)
    })
  }
}
