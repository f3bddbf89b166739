// The one way to read and the one way to write.

import type { DBSchema, StoreKey, StoreNames, StoreValue } from 'idb'
import { IntabError, toError } from '../errors.js'
import type { Checkpoint, IntabEvent, Left } from '../types.js'
import { abortIfRunning, type Database } from './database.js'
import { type Connection, type ReadTx, type Schema, stores as allStores, type WriteTx } from './schema.js'
import { isQuota, quotaError } from './quota.js'
import { within } from './within.js'
import { type Job, WriteLine } from './write-line.js'

/** What the body of a write gets; ids and events go out only after the commit. */
export interface Write<S extends DBSchema = Schema> {
  /** Only to read: a write that goes past the methods below would not be known as one. */
  readonly tx: ReadTx<S>
  readonly now: number
  // Not awaited: a failure aborts the transaction, and to wait for success would cost a round trip before the commit.
  put<N extends StoreNames<S>>(store: N, value: StoreValue<S, N>): void
  add<N extends StoreNames<S>>(store: N, value: StoreValue<S, N>): void
  delete<N extends StoreNames<S>>(store: N, key: StoreKey<S, N> | IDBKeyRange): void
  clear(store: StoreNames<S>): void
  /** Somebody who waits for this task would see a difference: that of `left`, if it tells all. */
  changed(taskId: string, left?: Left): void
  emit(event: IntabEvent): void
}

export interface TransactionsOptions {
  durability: 'relaxed' | 'strict'
  /** Of one call, in ms. */
  deadline: number
  /** Must not throw. */
  publish(taskId: string, left: Left | undefined): void
  /** Must not throw. */
  onevent(event: IntabEvent): void
  checkpoint?: Checkpoint | undefined
  /** Frees space. */
  reclaim(): Promise<unknown>
}

/** Why a transaction ended; when a request of it fails, the browser does not yet say it at the transaction itself. */
const reasons = new WeakMap<object, Error>()

interface Written<T> {
  value: T
  announce(): void
}

interface WriteJob<S extends DBSchema> extends Job {
  /** Resolves with what to call after the commit. */
  run(tx: WriteTx<S>): Promise<() => void>
}

export class Transactions<S extends DBSchema = Schema> {
  readonly #database: Database<S>
  readonly #options: TransactionsOptions
  readonly #stores: StoreNames<S>[]
  /** Of one call, in ms. */
  readonly deadline: number
  readonly #line = new WriteLine<WriteJob<S>>((jobs) => this.#perform(jobs))

  /** Every transaction spans these stores; the default is intab's own. */
  constructor(database: Database<S>, options: TransactionsOptions, stores = allStores as StoreNames<S>[]) {
    this.#database = database
    this.#options = options
    this.deadline = options.deadline
    this.#stores = stores
  }

  /** The body must await nothing but requests of its transaction: anything else ends it. */
  read<T>(body: (tx: ReadTx<S>) => Promise<T>): Promise<T> {
    const options = { durability: this.#options.durability }
    return within(this.deadline, (signal) =>
      this.#connected(signal, (db) =>
        perform(db.transaction(this.#stores, 'readonly', options) as ReadTx<S>, body, signal)
      )
    )
  }

  /**
   * Runs the body in a readwrite transaction and announces what it changed after the commit; whatever it throws undoes it.
   * It may run twice: nothing of a run that failed was written. `lean` writes free space and must not wait for more of it.
   */
  async write<T>(name: string, body: (write: Write<S>) => Promise<T>, lean = false): Promise<T> {
    await this.#options.checkpoint?.(`before:${name}`)
    const { value, announce } = await this.#withQuota(lean, () => this.#inLine(body))
    await this.#options.checkpoint?.(`committed:${name}`)
    announce()
    return value
  }

  #inLine<T>(body: (write: Write<S>) => Promise<T>): Promise<Written<T>> {
    return within(
      this.deadline,
      (signal) =>
        new Promise((resolve, fail) => {
          const run = async (tx: WriteTx<S>): Promise<() => void> => {
            const { write, announce, hasWritten } = this.#newWrite(tx)
            try {
              const value = await body(write)
              return () => {
                // The caller was told "busy" while the commit was under way; whoever waits must hear of it all the same.
                if (signal.aborted) announce()
                resolve({ value, announce })
              }
            } catch (error) {
              // What a rule refuses changed nothing, and undoes none of the writes that share the transaction.
              if (hasWritten() || !(error instanceof IntabError)) throw error
              return () => fail(error)
            }
          }
          this.#line.add({ signal, run, fail }).catch(fail)
        })
    )
  }

  #newWrite(tx: WriteTx<S>): { write: Write<S>; announce(): void; hasWritten(): boolean } {
    const changed = new Map<string, Left | undefined>()
    const events: IntabEvent[] = []
    let hasWritten = false
    const issue = (request: Promise<unknown>): void => {
      hasWritten = true
      request.catch((error: unknown) => {
        if (!reasons.has(tx)) reasons.set(tx, toError(error))
      })
    }
    return {
      write: {
        tx,
        now: Date.now(),
        put: (store, value) => issue(tx.objectStore(store).put(value)),
        add: (store, value) => issue(tx.objectStore(store).add(value)),
        delete: (store, key) => issue(tx.objectStore(store).delete(key)),
        clear: (store) => issue(tx.objectStore(store).clear()),
        changed: (taskId, left) => changed.set(taskId, changed.has(taskId) && !left?.removed ? undefined : left),
        emit: (event) => events.push(event)
      },
      hasWritten: () => hasWritten,
      announce: () => {
        for (const [taskId, left] of changed) this.#options.publish(taskId, left)
        for (const event of events) this.#options.onevent(event)
      }
    }
  }

  /** All of them in one transaction; the first has waited longest, and its deadline is that of all. */
  async #perform(jobs: readonly WriteJob<S>[]): Promise<void> {
    const [{ signal } = { signal: AbortSignal.abort() }] = jobs
    const committed = await this.#connected(signal, (db) => {
      const tx = db.transaction(this.#stores, 'readwrite', { durability: this.#options.durability }) as WriteTx<S>
      const runAll = async (): Promise<(() => void)[]> => {
        const done: (() => void)[] = []
        for (const { run } of jobs) done.push(await run(tx))
        return done
      }
      return perform(tx, runAll, signal)
    })
    for (const tell of committed) tell()
  }

  /** A connection that the browser closed under us is opened anew, once. */
  async #connected<T>(signal: AbortSignal, attempt: (db: Connection<S>) => Promise<T>): Promise<T> {
    for (let retried = false; ; retried = true) {
      const db = await this.#database.connection()
      signal.throwIfAborted()
      try {
        return await attempt(db)
      } catch (error) {
        if (signal.aborted || !isLost(error)) throw error
        this.#database.lost(db)
        if (retried) throw connectionLost(error)
      }
    }
  }

  async #withQuota<T>(lean: boolean, run: () => Promise<T>): Promise<T> {
    try {
      return await run()
    } catch (error) {
      if (!isQuota(error)) throw error
      if (lean) throw await quotaError(error)
    }
    try {
      await this.#options.reclaim()
    } catch (error) {
      this.#options.onevent({ type: 'error', error: toError(error), while: 'making room for a write' })
    }
    try {
      return await run()
    } catch (error) {
      throw isQuota(error) ? await quotaError(error) : error
    }
  }
}

interface Transaction {
  readonly mode: IDBTransactionMode
  readonly done: Promise<void>
  abort(): void
  commit(): void
}

/** Runs the body, commits and, if it may have written, waits for the end; rejects once, and then nothing was written. */
async function perform<Tx extends Transaction, T>(
  tx: Tx,
  body: (tx: Tx) => Promise<T>,
  signal: AbortSignal
): Promise<T> {
  const failure = tx.done.then(
    () => undefined,
    (error: unknown) => (toError(error).name === 'AbortError' && reasons.get(tx)) || toError(error)
  )
  const abort = (): void => abortIfRunning(tx)
  signal.addEventListener('abort', abort)
  try {
    const value = await body(tx)
    tx.commit()
    if (tx.mode === 'readonly') return value
    const error = await failure
    if (error !== undefined) throw error
    return value
  } catch (error) {
    abort()
    throw cause(error, await failure)
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** Chromium tells of a full disk only as the reason for the abort, after every request succeeded or was aborted. */
function cause(error: unknown, failure: Error | undefined): unknown {
  if (error instanceof IntabError || failure === undefined || failure.name === 'AbortError') return error
  return failure
}

const isLost = (error: unknown): boolean =>
  ['InvalidStateError', 'UnknownError', 'AbortError'].includes(toError(error).name)

const connectionLost = (error: unknown): IntabError =>
  new IntabError(
    'storage_refused',
    `IndexedDB failed, and again on a new connection (${toError(error).name}: ${toError(error).message}): restart the browser`,
    undefined,
    { cause: error }
  )
