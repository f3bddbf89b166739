import { forceCloseDatabase } from 'fake-indexeddb'
import { unwrap } from 'idb'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Database } from '../../../src/storage/database.js'
import { upgrade, version } from '../../../src/storage/schema.js'
import { Transactions, type TransactionsOptions } from '../../../src/storage/transaction.js'
import { draft, fenceOf } from '../../contract/storage-harness.js'
import { open } from './fixture.js'

const databases: Database[] = []

function connect(over: Partial<TransactionsOptions> = {}, name = `test:${crypto.randomUUID()}`) {
  const log: string[] = []
  const database = new Database({
    name,
    version,
    upgrade,
    deadline: 10_000,
    onsuperseded: async () => void log.push('superseded'),
    onblocked: (reason) => log.push(reason),
    onerror: (error) => log.push(error.message)
  })
  const transactions = new Transactions(database, {
    durability: 'relaxed',
    deadline: 10_000,
    publish: (taskId) => log.push(`publish ${taskId}`),
    onevent: (event) => log.push(event.type),
    reclaim: async () => log.push('reclaim'),
    ...over
  })
  databases.push(database)
  return { database, transactions, log, name }
}

type Connected = ReturnType<typeof connect>

const putOwner = ({ transactions }: Connected, owner = 'alice', nextSeq = 1): Promise<void> =>
  transactions.write('test', async (write) => {
    write.put('owners', { owner, unfinished: 0, kept: 0, nextSeq })
    write.changed(owner)
  })

const readOwner = ({ transactions }: Connected, owner = 'alice') =>
  transactions.read((tx) => tx.objectStore('owners').get(owner))

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.useRealTimers()
  for (const database of databases.splice(0)) database.close()
})

describe('a write', () => {
  it('F46 is announced after its commit, when every connection can read it', async () => {
    const log: string[] = []
    const other = connect()
    const store = connect(
      {
        checkpoint: async (point) => {
          const row = await readOwner(other)
          log.push(`${point} ${row === undefined ? 'unseen' : 'seen'}`)
        },
        publish: (taskId) => log.push(`publish ${taskId}`)
      },
      other.name
    )
    await putOwner(store)
    expect(log).toEqual(['before:test unseen', 'committed:test seen', 'publish alice'])
  })

  it('F51 that fails rejects once, with its cause, writes nothing and announces nothing', async () => {
    const store = connect()
    const failing = store.transactions.write('test', async (write) => {
      write.put('owners', { owner: 'alice', unfinished: 0, kept: 0, nextSeq: 1 })
      write.changed('alice')
      throw new TypeError('a fault of ours')
    })
    await expect(failing).rejects.toThrow(new TypeError('a fault of ours'))
    expect(await readOwner(store)).toBeUndefined()
    expect(store.log).toEqual([])
  })

  it('F45 F51 with a request that fails, which nobody awaits, rejects with the reason of that request', async () => {
    const store = connect()
    await putOwner(store)
    const twice = store.transactions.write('test', async (write) => {
      write.changed('alice')
      write.add('owners', { owner: 'alice', unfinished: 9, kept: 9, nextSeq: 9 })
    })
    await expect(twice).rejects.toMatchObject({ name: 'ConstraintError' })
    expect(await readOwner(store)).toMatchObject({ nextSeq: 1 })
    expect(store.log).toEqual(['publish alice'])
  })

  it.each(['relaxed', 'strict'] as const)('asks the browser for %s durability', async (durability) => {
    const store = connect({ durability })
    await store.database.connection()
    const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction')
    await putOwner(store)
    expect(transaction.mock.lastCall?.slice(1)).toEqual(['readwrite', { durability }])
  })
})

describe('a full disk', () => {
  const aborting = (times: number): void => {
    const commit = IDBTransaction.prototype.commit
    vi.spyOn(IDBTransaction.prototype, 'commit').mockImplementation(function (this: IDBTransaction) {
      times -= this.mode === 'readwrite' ? 1 : 0
      if (this.mode !== 'readwrite' || times < 0) return commit.call(this)
      // As Chromium does: every request has succeeded, and then the transaction aborts.
      const fake = this as unknown as { _abort(name: string): void }
      return fake._abort('QuotaExceededError')
    })
  }

  it('F45 makes a write free space and try once more', async () => {
    const store = connect()
    aborting(1)
    await putOwner(store)
    expect(await readOwner(store)).toMatchObject({ nextSeq: 1 })
    expect(store.log).toEqual(['reclaim', 'publish alice'])
  })

  it('F45 that stays full fails the write with usage and quota', async () => {
    vi.stubGlobal('navigator', { storage: { estimate: async () => ({ usage: 90, quota: 100 }) } })
    const store = connect()
    aborting(2)
    await expect(putOwner(store)).rejects.toMatchObject({ code: 'quota', data: { usage: 90, quota: 100 } })
    expect(store.log).toEqual(['reclaim'])
    expect(await readOwner(store)).toBeUndefined()
  })

  it('F45 is told by a request in Firefox, and where nobody estimates', async () => {
    vi.stubGlobal('navigator', undefined)
    const store = connect()
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    await expect(putOwner(store)).rejects.toMatchObject({ code: 'quota', data: {} })
  })

  it('F45 that shows in the middle of a write is told from a lost connection', async () => {
    const store = connect()
    const put = IDBObjectStore.prototype.put
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementationOnce(function (this: IDBObjectStore, value: unknown) {
      const request = put.call(this, value)
      const fake = this.transaction as unknown as { _abort(name: string): void }
      fake._abort('QuotaExceededError')
      return request
    })
    await putOwner(store)
    expect(store.log).toEqual(['reclaim', 'publish alice'])
  })

  it('F45 that stops even the freeing of space fails that write, and tells of both', async () => {
    const storage = await open()
    await storage.tasks.create(draft({ ttl: 1 }))
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1_000 })
    aborting(Infinity)
    await expect(storage.tasks.create(draft())).rejects.toMatchObject({ code: 'quota' })
    expect(storage.events).toMatchObject([
      { type: 'error', error: { code: 'quota' }, while: 'making room for a write' }
    ])
  })

  it('F45 is cleared by what is past its retention', async () => {
    const storage = await open()
    const { task } = await storage.tasks.create(draft({ ttl: 1 }))
    await storage.tasks.finish(fenceOf(task), { status: 'completed', outcome: { result: {} } })
    const told = storage.published.length
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1_000 })
    aborting(1)
    const next = await storage.tasks.create(draft())
    expect(storage.published.slice(told)).toEqual([task.taskId, next.task.taskId])
  })
})

describe('a connection that the browser closed', () => {
  let opens: { mock: { calls: unknown[] } }
  beforeEach(() => void (opens = vi.spyOn(IDBFactory.prototype, 'open')))

  it('F43 is opened anew, once, for reading and for writing', async () => {
    const store = connect()
    const first = await store.database.connection()
    first.close()
    await putOwner(store)
    const second = await store.database.connection()
    expect(second).not.toBe(first)
    second.close()
    expect(await readOwner(store)).toMatchObject({ nextSeq: 1 })
    expect(opens.mock.calls).toHaveLength(3)
  })

  it('F43 is opened anew after the browser said so', async () => {
    const store = connect()
    const first = await store.database.connection()
    // Its type names the class where it means an instance.
    forceCloseDatabase(unwrap(first) as unknown as typeof IDBDatabase)
    const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction')
    await putOwner(store)
    expect(transaction.mock.results).toMatchObject([{ type: 'return' }])
    expect(await store.database.connection()).not.toBe(first)
  })

  it("F44 that fails twice in a row is reported in the browser's words, and not tried for ever", async () => {
    const store = connect()
    await putOwner(store)
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(() => {
      throw new DOMException('Connection to Indexed Database server lost', 'UnknownError')
    })
    await expect(putOwner(store, 'bob')).rejects.toMatchObject({
      code: 'storage_refused',
      message: expect.stringContaining('(UnknownError: Connection to Indexed Database server lost)'),
      cause: expect.objectContaining({ name: 'UnknownError' })
    })
    expect(opens.mock.calls).toHaveLength(2)
    vi.restoreAllMocks()
    await putOwner(store, 'bob')
    expect(await readOwner(store, 'bob')).toMatchObject({ nextSeq: 1 })
  })

  it('F43 in the middle of a transaction costs nothing: what was aborted runs again', async () => {
    const store = connect()
    await putOwner(store)
    vi.spyOn(IDBTransaction.prototype, 'commit').mockImplementationOnce(function (this: IDBTransaction) {
      this.abort()
    })
    let runs = 0
    await store.transactions.write('test', async (write) => {
      runs += 1
      const row = await write.tx.objectStore('owners').get('alice')
      if (row !== undefined) write.put('owners', { ...row, nextSeq: row.nextSeq + 1 })
    })
    expect(runs).toBe(2)
    expect(await readOwner(store)).toMatchObject({ nextSeq: 2 })
  })
})
