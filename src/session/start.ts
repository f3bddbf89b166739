// Opens what a worker needs, in the order that leaves no gap: lock, bus, rows, recovery, and only then sessions.

import { openBus } from '../bus/update-bus.js'
import { IntabError, toError } from '../errors.js'
import { defaultLimits } from '../limits.js'
import { afterTurn } from '../link/turn.js'
import { openStorage } from '../storage/open-storage.js'
import { Runner } from '../tasks/runner.js'
import type { Locks } from '../types.js'
import { assemble, reporting } from './assemble.js'
import type { Hub } from './hub.js'
import { checkLimits, databaseOf, type ServeOptions, toolsByName } from './options.js'

/** One worker: a generation, and the lock that it holds for its life. */
export interface Life {
  worker: string
  /** The lock's name, which starts with the database's and ends with the generation. */
  executor: string
  /** Resolves when this worker holds it. */
  held: Promise<() => void>
}

export interface StartListeners {
  /** This worker gave up its tasks to a newer version. */
  onsuperseded(reason: IntabError): void
  /** The database does not open; that goes on. */
  onblocked(reason: string): void
}

export interface Started {
  hub: Hub
  close(): void
}

/**
 * Resolves when what a dead worker left was taken over, or is tried again; when it rejects, nothing is left open.
 */
export async function start(
  options: ServeOptions,
  locks: Locks,
  { worker, executor, held }: Life,
  { onsuperseded, onblocked }: StartListeners
): Promise<Started> {
  const tools = toolsByName(options)
  const database = databaseOf(options)
  const limits = checkLimits({ ...defaultLimits, ...options.limits })

  const reports = reporting(options)
  const { emit, onerror } = reports
  let begun = false
  let gone: IntabError | undefined
  const giveUp = async (reason: IntabError): Promise<void> => {
    gone = reason
    // Before that nothing is there to give up, and the start fails with the reason.
    if (!begun) return
    // First of all, or it would hear that its tasks are nobody's and take them back.
    rest(reason)
    const pages = [...hub.sessions].map(({ connection }) => storage.messages.giveBack(connection))
    await Promise.all([storage.roster.abandon(executor), ...pages]).catch((error: unknown) =>
      onerror(toError(error), 'leaving its tasks to others')
    )
    onsuperseded(reason)
    bus.close()
    emit({ type: 'superseded', reason: reason.message })
  }
  const opening = openStorage({
    name: database,
    publish: (taskId, left) => {
      // Whoever created a task is to have its id before anybody is told of it.
      if (left?.task.revision === 1) afterTurn(() => bus.publish(taskId, left))
      else bus.publish(taskId, left)
    },
    limits,
    onsuperseded: giveUp,
    onblocked(reason) {
      emit({ type: 'blocked', reason })
      onblocked(reason)
    },
    onlost(reason) {
      if (!begun) return
      emit({ type: 'lost', reason })
      doubtAll()
    },
    onevent: emit,
    ...(options.durability && { durability: options.durability }),
    ...(options.checkpoint && { checkpoint: options.checkpoint })
  })
  // Only the connection opens while the lock is asked for: no row is read before the lock is held and the bus is open.
  const [, storage] = await Promise.all([held, opening]).catch((error: unknown) => {
    opening.then((opened) => opened.close()).catch(() => undefined)
    throw error
  })
  if (gone !== undefined) throw gone
  const bus = openBus(database)

  const { hub, recover, doubtAll, rest } = assemble({
    worker,
    executor,
    options,
    limits,
    tools,
    storage,
    bus,
    locks,
    ...reports,
    makeRunner: (engine) => new Runner(engine, (task) => emit({ type: 'finished', task }))
  })
  begun = true

  const close = (): void => {
    rest(new IntabError('closed', 'The server was closed'))
    bus.close()
    storage.close()
  }
  await recover()
  return { hub, close }
}
