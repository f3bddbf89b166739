// Opens what a worker needs, in the order that leaves no gap: lock, bus, rows, recovery, and only then sessions.

import { openBus } from '../bus/update-bus.js'
import { IntabError, toError } from '../errors.js'
import { defaultLimits } from '../limits.js'
import { afterTurn } from '../link/turn.js'
import { openStorage } from '../storage/open-storage.js'
import { Runner } from '../tasks/runner.js'
import { isFinal } from '../tasks/status.js'
import { Waiters } from '../tasks/waiters.js'
import type { IntabEvent, Locks } from '../types.js'
import { Announcer } from './announcer.js'
import { Caretaker } from './caretaker.js'
import { Fetched } from './fetched.js'
import type { Hub } from './hub.js'
import { checkLimits, databaseOf, type ServeOptions, toolsByName } from './options.js'
import { Questions } from './questions.js'
import { UpdateFeed } from './update-feed.js'

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

  const onerror = (error: Error, during: string): void => {
    if (options.onevent) emit({ type: 'error', error, while: during })
    // oxlint-disable-next-line no-console -- an error that nobody listens for must not be silent
    else console.error(`intab: ${during}:`, error)
  }
  const emit = (event: IntabEvent): void => {
    try {
      options.onevent?.(event)
    } catch (error) {
      // oxlint-disable-next-line no-console -- the one who listens has failed
      console.error('intab: onevent threw:', toError(error))
    }
  }

  let begun = false
  let gone: IntabError | undefined
  const giveUp = async (reason: IntabError): Promise<void> => {
    gone = reason
    // Before that nothing is there to give up, and the start fails with the reason.
    if (!begun) return
    // First of all, or it would hear that its tasks are nobody's and take them back.
    rest(reason)
    const pages = [...hub.sessions].map(({ connection }) => messages.giveBack(connection))
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
      caretaker.doubtAll(announcer.told)
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

  const { tasks, messages, steps, roster } = storage
  const waiters = new Waiters(messages, bus, (error, during) => {
    onerror(error, during)
    caretaker.soon('questions')
  })
  const runner = new Runner({ tasks, messages, steps, bus, waiters, onerror }, (task) =>
    emit({ type: 'finished', task })
  )
  const announcer = new Announcer()
  const fetched = new Fetched(tasks, () => caretaker.soon('fetched'))
  const hub: Hub = {
    worker,
    executor,
    options,
    limits,
    tools,
    tasks,
    messages,
    steps,
    roster,
    bus,
    waiters,
    runner,
    sessions: new Set(),
    announce: (task) => announcer.tell(hub, task),
    announceSoon: (task) => announcer.tellSoon(hub, task),
    removed: (taskId, owner) => announcer.tellRemoved(hub, taskId, owner),
    fetched: (taskId) => fetched.note(taskId),
    endTask: (taskId, end) => caretaker.end(taskId, end),
    joined: (connection) => caretaker.joined(connection),
    left: (connection) => caretaker.left(connection),
    reviewQuestions: () => caretaker.soon('questions'),
    offerQuestions: () => caretaker.soon('offers'),
    emit,
    onerror
  }
  const questions = new Questions(hub, options.deliveryGrace ?? 1000)
  const caretaker = new Caretaker(hub, locks, executor.slice(0, -worker.length), {
    retention: storage.retention,
    read: (taskId) => feed.read(taskId),
    review: () => questions.review(),
    offer: () => questions.offer(),
    noteFetched: () => fetched.write()
  })
  const feed = new UpdateFeed(hub, questions, {
    ontask(task) {
      if (task.expiresAt !== undefined) caretaker.expect(task.expiresAt)
      if (task.executor === '' && !isFinal(task.status)) caretaker.soon('workers')
    },
    ondoubt: (taskId) => caretaker.doubt([taskId])
  })
  begun = true

  const rest = (reason: IntabError): void => {
    feed.close()
    caretaker.close()
    questions.close()
    fetched.close()
    runner.stop(reason)
  }
  const close = (): void => {
    rest(new IntabError('closed', 'The server was closed'))
    bus.close()
    storage.close()
  }
  await caretaker.start()
  return { hub, close }
}
