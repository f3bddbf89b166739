// The rows of tasks, questions and their answers in PostgreSQL. Everything in this folder speaks SQL and nothing else of a
// server; it promises what the interfaces in types.ts say, which the contract suites hold. Read schema.ts first.

import { Client, Pool } from 'pg'
import type {
  Checkpoint,
  Fence,
  IntabEvent,
  Left,
  Limits,
  MessageQueue,
  Retention,
  Roster,
  StepJournal,
  TaskStore
} from '../types.js'
import { openMessageQueue } from './message-queue.js'
import { openRetention } from './retention.js'
import { openRoster, openStepJournal } from './roster.js'
import { migrate, quoted } from './schema.js'
import { openTaskStore } from './task-store.js'
import { fenced, prove } from './task-row.js'
import { Transactions } from './transactions.js'

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database` */
  url: string
  /** The schema that holds the tables. */
  schema: string
  limits: Limits
  /** Connections of this process, besides one that listens and one that watches. */
  connections?: number
  /** Of every statement, and of every wait for a connection, in ms (10,000); then the call rejects with `storage_busy`. */
  deadline?: number
  /** Called after the commit of every write that changed what a waiter could see; must not throw. */
  publish(taskId: string, left?: Left): void
  /** Must not throw. */
  onevent(event: IntabEvent): void
  checkpoint?: Checkpoint | undefined
}

export interface PostgresStorage {
  tasks: TaskStore
  messages: MessageQueue
  steps: StepJournal
  roster: Roster
  retention: Retention
  transactions: Transactions
  /** Notes that the run got further than the one before it; false when fenced off. */
  prove(fence: Fence): Promise<boolean>
  close(): Promise<void>
}

/** Creates the tables if they are not there. Rejects with what PostgreSQL says when it cannot be reached. */
export async function openPostgres(options: PostgresOptions): Promise<PostgresStorage> {
  const { url, schema, limits, connections = 10, deadline = 10_000, onevent } = options
  const client = new Client({ connectionString: url, connectionTimeoutMillis: deadline })
  await client.connect()
  try {
    await migrate(client, schema)
  } finally {
    await client.end()
  }
  const pool = new Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: deadline,
    statement_timeout: deadline,
    options: `-c search_path=${quoted(schema)}`
  })
  // An idle connection that breaks is replaced by the next call.
  pool.on('error', (error) => onevent({ type: 'error', error, while: 'holding an idle connection to PostgreSQL' }))
  const transactions = new Transactions(pool, {
    publish: (taskId, left) => options.publish(taskId, left),
    onevent,
    checkpoint: options.checkpoint
  })
  return {
    tasks: openTaskStore(transactions, limits),
    messages: openMessageQueue(transactions, limits),
    steps: openStepJournal(transactions, limits),
    roster: openRoster(transactions),
    retention: openRetention(transactions, limits),
    transactions,
    prove: (fence) =>
      transactions.write('prove', async (write) => {
        const task = await fenced(write, fence)
        if (task !== undefined) await prove(write, task)
        return task !== undefined
      }),
    close: () => pool.end()
  }
}
