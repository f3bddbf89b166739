// IndexedDB that is slow, fails or is gone, in an app that knows nothing of the test.

import type { Page } from 'playwright-core'
import { IntabError } from '../errors.js'
import { refuseFrozen } from './page-life.js'
import { runInWorker, workersOf } from './workers.js'

/** Which database `stallStorage` and `deleteStorage` work on. */
export interface StorageOptions {
  /** The name of the database; default the one of the origin that begins with `intab:`. */
  database?: string
}

/** Options of `failStorage`. */
export interface FailStorageOptions {
  /** How many transactions fail in each worker; default all. */
  times?: number
}

/** What a browser's IndexedDB fails with. */
export type StorageErrorName = 'AbortError' | 'DataError' | 'QuotaExceededError' | 'TimeoutError' | 'UnknownError'

const errorNames: readonly StorageErrorName[] = [
  'AbortError',
  'DataError',
  'QuotaExceededError',
  'TimeoutError',
  'UnknownError'
]

/** Rejects with `invalid_options` where the database is missing, or is one of several, and where a page cannot say it. */
export async function databaseOf(page: Page, { database }: StorageOptions): Promise<string> {
  refuseFrozen(page)
  if (await page.evaluate(() => origin === 'null')) {
    throw new IntabError('invalid_options', `${page.url()} has no storage: load a page of the app first`)
  }
  const known = await page.evaluate(async () => (await indexedDB.databases()).map(({ name = '' }) => name))
  const found = known.filter((name) => (database === undefined ? name.startsWith('intab:') : name === database))
  const [name] = found
  if (name !== undefined && found.length === 1) return name
  const list = known.length === 0 ? 'none' : known.join(', ')
  throw new IntabError(
    'invalid_options',
    `Expected one database '${database ?? 'intab:…'}' at ${page.url()} (it has ${list}): wait until the page is ` +
      "connected, or give { database }, the name of your server's database"
  )
}

/**
 * Holds the database for so many milliseconds, as a slow disk does: no other transaction, of a worker or a tab, starts
 * meanwhile. Resolves once it is held; what it resolves with ends the stall early. It ends with the page as well.
 * Rejects with `invalid_options` where there is no such database or the time is not a finite number from 0 on.
 */
export async function stallStorage(page: Page, ms: number, options: StorageOptions = {}): Promise<() => Promise<void>> {
  if (!Number.isFinite(ms) || ms < 0) {
    throw new IntabError(
      'invalid_options',
      `stallStorage takes a finite, non-negative number of milliseconds (got ${String(ms)})`
    )
  }
  const stall = await page.evaluateHandle(
    async ([name, ms]) => {
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name)
        opening.onsuccess = () => resolve(opening.result)
        opening.onerror = () => reject(opening.error ?? new Error('The database did not open'))
      })
      const [store] = db.objectStoreNames
      if (store === undefined) {
        db.close()
        throw new Error(`The database '${name}' has no object store`)
      }
      const tx = db.transaction(db.objectStoreNames, 'readwrite')
      const stall = { over: false, end: performance.now() + ms }
      await new Promise<void>((resolve, reject) => {
        tx.onabort = () => reject(tx.error ?? new Error('The transaction was aborted'))
        tx.oncomplete = () => db.close()
        // A transaction lives for as long as there is a request in it.
        const hold = (): void => {
          resolve()
          if (stall.over || performance.now() >= stall.end) return
          tx.objectStore(store).getKey(0).onsuccess = hold
        }
        tx.objectStore(store).getKey(0).onsuccess = hold
      })
      return stall
    },
    [await databaseOf(page, options), ms] as const
  )
  const end = (held: { over: boolean }): void => {
    held.over = true
  }
  // It can only fail because the document has gone, and the stall with it.
  return () => stall.evaluate(end).catch(() => undefined)
}

/**
 * Lets IndexedDB fail in the SharedWorkers that the page uses now: every transaction is aborted with an error of this
 * name; with `QuotaExceededError` only those that write. A second call replaces the first, whose end does nothing then.
 * Resolves with the way to end it. Chromium only. Rejects with `worker_gone` when there is no SharedWorker, with `invalid_options` for another name or
 * a count that is no whole number from 1 on.
 */
export async function failStorage(
  page: Page,
  name: StorageErrorName = 'UnknownError',
  { times = Infinity }: FailStorageOptions = {}
): Promise<() => Promise<void>> {
  if (!errorNames.includes(name)) {
    throw new IntabError('invalid_options', `IndexedDB has no error '${name}': use ${errorNames.join(', ')}`)
  }
  if (!(times === Infinity || (Number.isInteger(times) && times >= 1))) {
    throw new IntabError('invalid_options', `times must be a whole number from 1 on (got ${String(times)})`)
  }
  const { all, found } = await workersOf(page)
  const left = Math.min(times, Number.MAX_SAFE_INTEGER)
  const id = crypto.randomUUID()
  await Promise.all(found.map((worker) => runInWorker(all, worker, failTransactions, id, name, left)))
  return async () => {
    const alive = new Set(all.all().map(({ id }) => id))
    const still = found.filter(({ id }) => alive.has(id))
    await Promise.all(still.map((worker) => runInWorker(all, worker, endFailing, id)))
  }
}

type FaultScope = typeof globalThis & { intabStorageFault?: { id: string; name: string; left: number } }

/** Runs in the worker. */
function endFailing(id: string): void {
  const { intabStorageFault: fault }: FaultScope = globalThis
  if (fault?.id === id) fault.left = 0
}

/** Runs in the worker. */
function failTransactions(id: string, name: string, left: number): void {
  const scope: FaultScope = globalThis
  const known = scope.intabStorageFault
  if (known !== undefined) {
    Object.assign(known, { id, name, left })
    return
  }
  const fault = (scope.intabStorageFault = { id, name, left })
  const { transaction } = IDBDatabase.prototype
  IDBDatabase.prototype.transaction = function (stores, mode, options) {
    const tx = transaction.call(this, stores, mode, options)
    if (fault.left <= 0 || (fault.name === 'QuotaExceededError' && mode !== 'readwrite')) return tx
    fault.left -= 1
    const error = new DOMException('Made to fail by failStorage of intab/testing', fault.name)
    Object.defineProperty(tx, 'error', { value: error })
    // Only now, so that the caller can make its first requests, which fail with it.
    queueMicrotask(() => {
      tx.abort()
    })
    return tx
  }
}

/**
 * Deletes the database, as a person does who clears the data of the site; resolves when it is gone.
 * Rejects with `invalid_options` where there is no such database.
 */
export async function deleteStorage(page: Page, options: StorageOptions = {}): Promise<void> {
  await page.evaluate(
    (name) =>
      new Promise<void>((resolve, reject) => {
        const deleting = indexedDB.deleteDatabase(name)
        deleting.onsuccess = () => resolve()
        deleting.onerror = () => reject(deleting.error ?? new Error('The database was not deleted'))
      }),
    await databaseOf(page, options)
  )
}
