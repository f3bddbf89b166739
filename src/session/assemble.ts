// Joins what the sessions of one worker, or of one process of a server, share; whoever starts it opens the rest.

import { type IntabError, toError } from '../errors.js'
import { Lenders } from '../lend/lenders.js'
import type { Engine } from '../tasks/run-context.js'
import type { Runner } from '../tasks/runner.js'
import { isFinal } from '../tasks/status.js'
import { Waiters } from '../tasks/waiters.js'
import type {
  Census,
  IntabEvent,
  Locks,
  MessageQueue,
  Retention,
  Roster,
  StepJournal,
  TaskStore,
  UpdateBus
} from '../types.js'
import { Announcer } from './announcer.js'
import { Caretaker } from './caretaker.js'
import { Fetched } from './fetched.js'
import type { Hub } from './hub.js'
import type { ServeOptions } from './options.js'
import { Questions } from './questions.js'
import type { Session } from './session.js'
import { UpdateFeed } from './update-feed.js'

/** Where events and errors go; neither throws. */
export type Reporting = Pick<Hub, 'emit' | 'onerror' | 'listeners'>

export function reporting({ onevent }: Pick<ServeOptions, 'onevent'>): Reporting {
  const listeners: Hub['listeners'] = new Set()
  const emit = (event: IntabEvent): void => {
    for (const listener of listeners) listener(event)
    try {
      onevent?.(event)
    } catch (error) {
      // oxlint-disable-next-line no-console -- the one who listens has failed
      console.error('intab: onevent threw:', toError(error))
    }
  }
  const onerror = (error: Error, during: string): void => {
    emit({ type: 'error', error, while: during })
    // oxlint-disable-next-line no-console -- an error that nobody listens for must not be silent
    if (!onevent) console.error(`intab: ${during}:`, error)
  }
  return { emit, onerror, listeners }
}

export interface Storage {
  tasks: TaskStore
  messages: MessageQueue
  steps: StepJournal
  roster: Roster
  retention: Retention
  /** Absent where nobody counts. */
  census?(owner: string): Promise<Census>
}

export interface Parts extends Pick<Hub, 'worker' | 'executor' | 'options' | 'limits' | 'tools' | 'noTab'>, Reporting {
  storage: Storage
  bus: UpdateBus
  locks: Locks
  makeRunner(engine: Engine): Runner
}

export interface Assembled {
  hub: Hub
  /** Resolves when what a dead worker left was taken over, or is tried again. */
  recover(): Promise<void>
  /** The rows may be others than those that were read. */
  doubtAll(): void
  /** Aborts what runs, and starts nothing more. */
  rest(reason: IntabError): void
}

export function assemble(parts: Parts): Assembled {
  const { storage, bus, locks, makeRunner, ...own } = parts
  const { tasks, messages, steps, roster } = storage
  const { executor, worker, options, onerror } = own
  const waiters = new Waiters(messages, bus, (error, during) => {
    onerror(error, during)
    caretaker.soon('questions')
  })
  const runner = makeRunner({ tasks, messages, steps, bus, waiters, noTab: own.noTab, onerror })
  const announcer = new Announcer()
  const fetched = new Fetched(tasks, () => caretaker.soon('fetched'))
  const sessions = new Set<Session>()
  const lenders = new Lenders({ messages, sessions, onerror })
  const hub: Hub = {
    ...own,
    since: Date.now(),
    locks,
    census: storage.census,
    tasks,
    messages,
    steps,
    roster,
    bus,
    waiters,
    runner,
    sessions,
    lenders,
    announce: (task) => announcer.tell(hub, task),
    announceSoon: (task) => announcer.tellSoon(hub, task),
    removed: (taskId, owner) => announcer.tellRemoved(hub, taskId, owner),
    fetched: (taskId) => fetched.note(taskId),
    endTask: (taskId, end) => caretaker.end(taskId, end),
    joined: (connection) => caretaker.joined(connection),
    left: (connection) => caretaker.left(connection),
    reviewQuestions: () => caretaker.soon('questions'),
    offerQuestions: () => caretaker.soon('offers')
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
  return {
    hub,
    recover: () => caretaker.start(),
    doubtAll: () => caretaker.doubtAll(announcer.told),
    rest(reason) {
      feed.close()
      caretaker.close()
      questions.close()
      lenders.close()
      fetched.close()
      runner.stop(reason)
    }
  }
}
