// Tasks as they change: one look at a time for each, and never an older state after a newer one.

import { toError } from '../errors.js'
import type { Capability, JsonObject } from '../types.js'
import type { ModernHost } from './host.js'
import { detail } from './questions.js'

interface Wanted {
  taskIds: ReadonlySet<string>
  allTasks: boolean
  removed: boolean
}

type Tell = (method: string, params: JsonObject) => Promise<void>

export class TaskFeed {
  readonly #host: ModernHost
  readonly #wanted: Wanted
  readonly #can: Capability[]
  readonly #tell: Tell
  /** Task id → whether to look again. */
  readonly #looking = new Map<string, boolean>()
  /** Task id → the revision that was told. */
  readonly #told = new Map<string, number>()
  /** Questions that this connection showed because of this. */
  readonly #shown = new Set<string>()
  #left = false

  constructor(host: ModernHost, wanted: Wanted, can: Capability[], tell: Tell) {
    this.#host = host
    this.#wanted = wanted
    this.#can = can
    this.#tell = tell
  }

  start(): () => void {
    const { taskIds, allTasks } = this.#wanted
    return this.#host.bus.listen((taskId) => {
      if (allTasks || taskIds.has(taskId)) this.changed(taskId)
    })
  }

  /** Nobody hears any more: others may show the questions. */
  leave(): void {
    this.#left = true
    this.#giveBack([...this.#shown])
  }

  #giveBack(only: readonly string[]): void {
    const { connection, messages, onerror } = this.#host
    if (only.length === 0) return
    messages.giveBack(connection, { only }).catch((error: unknown) => onerror(toError(error), 'giving questions back'))
  }

  changed(taskId: string): void {
    const isLooking = this.#looking.has(taskId)
    this.#looking.set(taskId, isLooking)
    if (isLooking) return
    this.#look(taskId).catch((error: unknown) => {
      // Nobody is there any more to be told.
      if (!this.#host.signal.aborted) this.#host.onerror(toError(error), `telling of ${taskId}`)
    })
  }

  async #look(taskId: string): Promise<void> {
    try {
      do {
        this.#looking.set(taskId, false)
        const found = await detail(this.#host, taskId, this.#can)
        // What this look has claimed comes too late for whoever has left.
        if (this.#left) return this.#giveBack(found?.here ?? [])
        if (found === undefined) {
          const wasTold = this.#told.delete(taskId)
          if (this.#wanted.removed || (this.#wanted.allTasks && wasTold))
            await this.#tell('notifications/intab/removed', { taskId })
          continue
        }
        const { revision } = found.task
        for (const requestId of found.here) this.#shown.add(requestId)
        if ((this.#told.get(taskId) ?? 0) >= revision) continue
        this.#told.set(taskId, revision)
        await this.#tell('notifications/tasks', { ...found.shown })
      } while (this.#looking.get(taskId) === true)
    } finally {
      this.#looking.delete(taskId)
    }
  }
}
