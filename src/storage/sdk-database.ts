// The database behind a store or a queue of the SDK's: opened by the first call, one call after the other.

import { IntabError, toError } from '../errors.js'
import { Database } from './database.js'
import { type SdkReadTx, type SdkSchema, sdkStores, sdkUpgrade, sdkVersion, type SdkWrite } from './sdk-schema.js'
import { sweepSome } from './sdk-task-row.js'
import { Transactions } from './transaction.js'

/** Options of `IndexedDbTaskStore` and `IndexedDbTaskMessageQueue`. */
export interface StoreOptions {
  /** The name of the database, `intab-stores` by default. A store and a queue with the same name share it. */
  name?: string
  /** `strict` waits for the disk at each commit; `relaxed` (default) can lose the last commits in a power cut. */
  durability?: 'relaxed' | 'strict'
  /** Milliseconds until a call rejects with `storage_busy`. Default 10,000. */
  deadline?: number
  /** Called for errors that belong to no call: another tab blocks the database, or expired tasks could not be deleted. */
  onerror?(error: Error): void
}

const ignore = (): void => undefined

export class SdkDatabase {
  readonly #name: string
  readonly #database: Database<SdkSchema>
  readonly #transactions: Transactions<SdkSchema>
  readonly #onerror: (error: Error) => void
  #line = { last: Promise.resolve() }
  #swept = false

  constructor({ name = 'intab-stores', durability = 'relaxed', deadline = 10_000, onerror }: StoreOptions) {
    if (!name) throw new IntabError('invalid_options', `name must be a non-empty string, or be omitted (got '${name}')`)
    if (!(deadline > 0))
      throw new IntabError('invalid_options', `deadline must be a positive number of milliseconds (got ${deadline})`)
    this.#name = name
    this.#onerror = (error) => onerror?.(error)
    this.#database = new Database({
      name,
      version: sdkVersion,
      upgrade: sdkUpgrade,
      deadline,
      onsuperseded: async () => undefined,
      onblocked: (reason) => this.#onerror(new IntabError('blocked', reason)),
      onerror: this.#onerror
    })
    const reclaim = (): Promise<void> => this.#sweep()
    const options = { durability, deadline, publish: ignore, onevent: ignore, reclaim }
    this.#transactions = new Transactions(this.#database, options, sdkStores)
  }

  read<T>(body: (tx: SdkReadTx) => Promise<T>): Promise<T> {
    return this.#first(() => this.#transactions.read(body))
  }

  /** Whatever the body throws undoes it. */
  write<T>(name: string, body: (write: SdkWrite) => Promise<T>): Promise<T> {
    return this.#first(() => this.#transactions.write(name, body))
  }

  close(): void {
    this.#database.close()
  }

  /** Once the database is known to answer, what expired while nobody was here goes. */
  #first<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#inOrder(work)
    if (this.#swept) return result
    this.#swept = true
    result.then(() => this.#inOrder(() => this.#sweep()).catch((error: unknown) => this.#onfailedSweep(error)), ignore)
    return result
  }

  /**
   * The SDK awaits not every call that it makes, yet counts on their order. While the browser hangs, those that wait
   * fail with the one that waited longest.
   */
  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const line = this.#line
    const result = line.last.then(work).catch((error: unknown) => {
      throw this.#named(error)
    })
    line.last = result.then(ignore, (error: unknown) => {
      if (!(error instanceof IntabError && error.code === 'storage_busy')) return
      if (this.#line === line) this.#line = { last: Promise.resolve() }
      throw error
    })
    line.last.catch(ignore)
    return result
  }

  async #sweep(): Promise<void> {
    while (await this.#transactions.write('sweep', sweepSome, true));
  }

  #onfailedSweep(error: unknown): void {
    if (!(error instanceof IntabError && error.code === 'closed')) this.#onerror(toError(error))
  }

  #named(error: unknown): Error {
    if (toError(error).name !== 'NotFoundError') return toError(error)
    const message = `The database "${this.#name}" belongs to something else: give this store another name`
    return new IntabError('invalid_options', message, undefined, { cause: error })
  }
}
