// A storage that has bad moments, for seconds and for minutes: it stalls, refuses, is full, or loses its connections.

import { vi } from 'vitest'
import { stores, version } from '../../src/storage/schema.js'
import type { Random } from '../support/random.js'
import { turn } from '../support/turns.js'

export const kinds = ['stalls', 'refuses', 'is full', 'flickers', 'closes'] as const
export type Kind = (typeof kinds)[number]

/** Faults of the browser under everything that is open on one database. */
export class Weather {
  readonly #name: string
  readonly #random: Random
  readonly #opened = new Set<IDBDatabase>()
  readonly #transaction = IDBDatabase.prototype.transaction
  readonly #open = IDBFactory.prototype.open
  readonly #spies: { mockRestore(): void }[]
  #kind: Kind | undefined
  #stalled: Promise<void> = Promise.resolve()

  constructor(name: string, random: Random) {
    this.#name = name
    this.#random = random
    const { put, add } = IDBObjectStore.prototype
    const opened = (request: IDBOpenDBRequest): IDBOpenDBRequest => {
      request.addEventListener('success', () => this.#opened.add(request.result))
      return request
    }
    const [open, transaction] = [this.#open, this.#transaction]
    const check = (): void => this.#check()
    const assertRoom = (): void => this.#assertRoom()
    this.#spies = [
      vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(function (this: IDBFactory, ...args) {
        check()
        return opened(open.apply(this, args))
      }),
      vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (this: IDBDatabase, ...args) {
        check()
        return transaction.apply(this, args)
      }),
      vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...args) {
        assertRoom()
        return put.apply(this, args)
      }),
      vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(function (this: IDBObjectStore, ...args) {
        assertRoom()
        return add.apply(this, args)
      })
    ]
  }

  async turnBad(kind: Kind): Promise<void> {
    if (kind === 'stalls') this.#stalled = this.#stall(await this.#connect())
    if (kind === 'closes') this.#closeAll()
    this.#kind = kind
  }

  async clear(): Promise<void> {
    this.#kind = undefined
    await this.#stalled
  }

  /** The browser is as it was. */
  end(): void {
    for (const spy of this.#spies) spy.mockRestore()
  }

  #check(): void {
    const isBad = this.#kind === 'refuses' || (this.#kind === 'flickers' && this.#random.chance(0.3))
    if (isBad) throw new DOMException('Internal error in the backing store', 'UnknownError')
  }

  #assertRoom(): void {
    if (this.#kind === 'is full') throw new DOMException('No room', 'QuotaExceededError')
  }

  #closeAll(): void {
    for (const connection of this.#opened) {
      connection.close()
      connection.dispatchEvent(new IDBVersionChangeEvent('close'))
    }
    this.#opened.clear()
  }

  #connect(): Promise<IDBDatabase> {
    const request = this.#open.call(indexedDB, this.#name, version)
    return new Promise((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result))
      request.addEventListener('error', () => reject(new Error('Cannot open', { cause: request.error })))
    })
  }

  /** As another connection does that writes for long: nobody else gets a turn. */
  async #stall(connection: IDBDatabase): Promise<void> {
    const tx = this.#transaction.call(connection, stores, 'readwrite')
    const [store = ''] = stores
    const keep = (): void => {
      const request = tx.objectStore(store).get('nothing')
      request.addEventListener('success', () => {
        if (this.#kind === 'stalls') keep()
      })
    }
    keep()
    await new Promise((resolve) => tx.addEventListener('complete', resolve))
    connection.close()
    await turn()
  }
}
