// One connection: opened, given up, lost and opened again.

import { type DBSchema, openDB } from 'idb'
import { IntabError, toError } from '../errors.js'
import type { Connection, Schema, UpgradeTx } from './schema.js'
import { within } from './within.js'

/** Attempts at one opening that the browser neither answers nor calls blocked. */
const maxAttempts = 3
/** How long the owner of a connection may take to finish its work before a newer build gets the database, in ms. */
const grace = 2_000

export interface DatabaseOptions<S extends DBSchema = Schema> {
  name: string
  version: number
  /** Brings the layout from an older version, 0 being none, to the present one; all or nothing. */
  upgrade(db: Connection<S>, oldVersion: number, tx: UpgradeTx<S>): void | Promise<void>
  /** How long one attempt to open may stay without any sign, in ms. */
  deadline: number
  onsuperseded(reason: IntabError): Promise<void>
  onblocked(reason: string): void
  /** The connection is gone, and perhaps every row. The next call opens it again. */
  onlost?(reason: string): void
  onerror(error: Error): void
}

export class Database<S extends DBSchema = Schema> {
  readonly #options: DatabaseOptions<S>
  #opening: Promise<Connection<S>> | undefined
  #connection: Connection<S> | undefined
  #opened = false
  #leaving = false
  #gone: IntabError | undefined

  constructor(options: DatabaseOptions<S>) {
    this.#options = options
  }

  /** The open connection; rejects with `superseded`, `closed`, `storage_refused`, `storage_busy` or `quota`. */
  async connection(): Promise<Connection<S>> {
    if (this.#gone !== undefined) throw this.#gone
    if (this.#connection !== undefined) return this.#connection
    this.#opening ??= this.#open().finally(() => (this.#opening = undefined))
    return this.#opening
  }

  /** The connection let nobody in, or must make way for a deletion: the next call opens anew. */
  lost(connection: Connection<S>, reason = 'The browser closed the database'): void {
    connection.close()
    if (this.#connection !== connection) return
    this.#connection = undefined
    this.#options.onlost?.(reason)
  }

  close(): void {
    this.#leave(new IntabError('closed', 'The storage has been closed'))
  }

  async #open(): Promise<Connection<S>> {
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const connection = await this.#attempt().catch((error: unknown) => {
        // Chromium, where the data of the site was deleted meanwhile: the next opening finds an empty database.
        const wasClosed = toError(error).name === 'AbortError' && this.#gone === undefined
        return wasClosed && attempt < maxAttempts ? 'aborted' : this.#refuse(error)
      })
      if (connection === 'aborted') continue
      if (connection !== undefined) return this.#accept(connection)
      if (this.#gone !== undefined) throw this.#gone
      this.#options.onblocked(
        `The database "${this.#options.name}" has not opened for ${this.#options.deadline} ms: close other tabs of this site`
      )
    }
    throw new IntabError(
      'storage_busy',
      `The browser does not open the database "${this.#options.name}": close other tabs of this site, or restart the browser`
    )
  }

  /** Undefined when the browser gave no sign until the deadline; a connection that comes later is closed. */
  #attempt(): Promise<Connection<S> | undefined> {
    return new Promise((resolve, reject) => {
      let late = false
      const timer = setTimeout(() => {
        late = true
        resolve(undefined)
      }, this.#options.deadline)
      const opened = (connection: Connection<S>): void => {
        clearTimeout(timer)
        if (late) connection.close()
        else resolve(connection)
      }
      const failed = (error: unknown): void => {
        clearTimeout(timer)
        reject(toError(error))
      }
      this.#request(() => clearTimeout(timer)).then(opened, failed)
    })
  }

  async #request(onsign: () => void): Promise<Connection<S>> {
    const { name, version } = this.#options
    const upgrade = async (db: Connection<S>, oldVersion: number, tx: UpgradeTx<S>): Promise<void> =>
      this.#options.upgrade(db, oldVersion, tx)
    let failure: unknown
    const connection = (await openDB(name, version, {
      upgrade: (db, oldVersion, _, tx) => {
        onsign()
        upgrade(db as unknown as Connection<S>, oldVersion, tx as unknown as UpgradeTx<S>).catch((error: unknown) => {
          failure = error
          abortIfRunning(tx)
        })
        tx.done.catch(() => {
          // The opening fails with it.
        })
      },
      blocked: () => {
        onsign()
        this.#options.onblocked(`The database "${name}" is held by an older version of this app: close its other tabs`)
      },
      blocking: (_, wanted) => {
        // A deletion is no newer version: it is over soon, and then there is an empty database.
        if (wanted === null) this.lost(connection, 'The stored tasks of this app are being deleted')
        else this.#giveWay(superseded()).catch((error: unknown) => this.#options.onerror(toError(error)))
      },
      terminated: () => this.lost(connection)
    }).catch((error: unknown) => {
      throw failure ?? error
    })) as unknown as Connection<S>
    return connection
  }

  #accept(connection: Connection<S>): Connection<S> {
    if (this.#gone !== undefined) {
      connection.close()
      throw this.#gone
    }
    this.#connection = connection
    this.#opened = true
    return connection
  }

  /** A newer build wants to upgrade the database, which it cannot while this connection is open. */
  async #giveWay(reason: IntabError): Promise<void> {
    if (this.#leaving || this.#gone !== undefined) return
    this.#leaving = true
    await this.#farewell(reason)
    this.#leave(reason)
  }

  async #farewell(reason: IntabError): Promise<void> {
    try {
      await within(grace, () => this.#options.onsuperseded(reason), 'What used the database')
    } catch (error) {
      this.#options.onerror(toError(error))
    }
  }

  #leave(reason: IntabError): void {
    this.#gone ??= reason
    this.#connection?.close()
    this.#connection = undefined
  }

  async #refuse(error: unknown): Promise<never> {
    const { name, message } = toError(error)
    if (name === 'VersionError') {
      this.#leave(superseded())
      if (this.#opened) await this.#farewell(superseded())
      throw superseded()
    }
    if (name === 'QuotaExceededError') {
      throw new IntabError('quota', 'The disk is full: free some space', undefined, { cause: error })
    }
    throw new IntabError(
      'storage_refused',
      `The browser refuses IndexedDB (${message}): allow site data for this site, leave private mode, or use another browser`,
      undefined,
      { cause: error }
    )
  }
}

const superseded = (): IntabError =>
  new IntabError('superseded', 'A newer version of this app has taken over the database: reload the page')

export function abortIfRunning(tx: { abort(): void }): void {
  try {
    tx.abort()
  } catch (error) {
    // It has ended by itself; there is no other way to ask.
    if (toError(error).name !== 'InvalidStateError') throw error
  }
}
