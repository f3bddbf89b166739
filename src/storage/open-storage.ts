import type { IntabError } from '../errors.js'
import type {
  Census,
  Checkpoint,
  IntabEvent,
  Left,
  Limits,
  MessageQueue,
  Retention,
  Roster,
  StepJournal,
  TaskStore
} from '../types.js'
import { defaultLimits } from '../limits.js'
import { takeCensus } from './census.js'
import { Database } from './database.js'
import { openMessageQueue } from './message-queue.js'
import { openRetention } from './retention.js'
import { openRoster } from './roster.js'
import { upgrade, version } from './schema.js'
import { openStepJournal } from './step-journal.js'
import { openTaskStore } from './task-store.js'
import { Transactions } from './transaction.js'

export interface StorageOptions {
  /** Of the database. */
  name: string
  /** Called after the commit of every write that changed what a waiter could see, with what it left, if that is all; must not throw. */
  publish(taskId: string, left?: Left): void
  /** `strict` waits for the disk at each commit; `relaxed` (default) can lose the last commits in a power cut. */
  durability?: 'relaxed' | 'strict'
  limits?: Partial<Limits>
  /** Of every call, in ms (10,000); then it rejects with `storage_busy`. */
  deadline?: number
  /** Awaited as `before:<name>` before each write's transaction opens and as `committed:<name>` between commit and announcement. */
  checkpoint?: Checkpoint
  /** A newer version wants the database: awaited, for 2 s at most, before it is closed; then every call rejects with `superseded`. */
  onsuperseded?(reason: IntabError): Promise<void>
  /** The connection is gone, and perhaps every row: what was read before may be wrong. The next call opens it again. */
  onlost?(reason: string): void
  /** Somebody holds up the opening, which goes on. */
  onblocked?(reason: string): void
  /** Tells of tasks that expired, and of errors that no caller sees; must not throw. */
  onevent?(event: IntabEvent): void
}

export interface Storage {
  tasks: TaskStore
  messages: MessageQueue
  steps: StepJournal
  roster: Roster
  retention: Retention
  /** Absent where nobody counts. */
  census?(owner: string): Promise<Census>
  /** Lets go of the database; every later call rejects with `closed`. */
  close(): void
}

/** Opens or creates the database; rejects with `storage_refused`, `storage_busy`, `superseded` or `quota`. */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { name, deadline = 10_000, durability = 'relaxed' } = options
  const limits = { ...defaultLimits, ...options.limits }
  const onevent = (event: IntabEvent): void => options.onevent?.(event)
  const database = new Database({
    name,
    version,
    upgrade,
    deadline,
    onsuperseded: async (reason) => options.onsuperseded?.(reason),
    onblocked: (reason) => options.onblocked?.(reason),
    onlost: (reason) => options.onlost?.(reason),
    onerror: (error) => onevent({ type: 'error', error, while: 'giving up the database' })
  })
  const transactions: Transactions = new Transactions(database, {
    durability,
    deadline,
    publish: (taskId, left) => options.publish(taskId, left),
    onevent,
    checkpoint: options.checkpoint,
    reclaim: () => retention.sweep()
  })
  const retention = openRetention(transactions, limits)
  await database.connection()
  return {
    tasks: openTaskStore(transactions, limits),
    messages: openMessageQueue(transactions, limits),
    steps: openStepJournal(transactions, limits),
    roster: openRoster(transactions),
    retention,
    census: (owner) => takeCensus(transactions, owner),
    close: () => database.close()
  }
}
