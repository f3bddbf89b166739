import { unwrap } from 'idb'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Database, type DatabaseOptions } from '../../../src/storage/database.js'
import { upgrade, version } from '../../../src/storage/schema.js'
import { draft, fenceOf } from '../../contract/storage-harness.js'
import { open } from './fixture.js'

const databases: Database[] = []

function database(over: Partial<DatabaseOptions> = {}) {
  const log: string[] = []
  const name = `test:${crypto.randomUUID()}`
  const db = new Database({
    name,
    version,
    upgrade,
    deadline: 10_000,
    onsuperseded: async () => void log.push('superseded'),
    onblocked: (reason) => log.push(reason),
    onerror: (error) => log.push(error.message),
    ...over
  })
  databases.push(db)
  return { db, log, name: over.name ?? name }
}

/** A connection that ignores versionchange, as a page of another build or a frozen one may. */
function hold(name: string, at: number = version): Promise<IDBDatabase> {
  const request = indexedDB.open(name, at)
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(new Error('Cannot open', { cause: request.error }))
  })
}

function deleted(name: string): Promise<void> {
  const request = indexedDB.deleteDatabase(name)
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve()
    request.onerror = () => reject(new Error('Cannot delete', { cause: request.error }))
  })
}

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.useRealTimers()
  for (const db of databases.splice(0)) db.close()
})

describe('opening', () => {
  it('F42 is reported when an older version holds the database, and goes on when that lets go', async () => {
    const name = `test:${crypto.randomUUID()}`
    const holder = await hold(name, 1)
    const { db, log } = database({ name, version: 2, upgrade: () => undefined })
    const opening = db.connection()
    await vi.waitFor(() => expect(log).toEqual([expect.stringContaining('older version of this app')]))
    holder.close()
    expect(await opening).toMatchObject({ version: 2 })
  })

  it('F42 without any sign is reported at each deadline, tried three times and then given up; late ones are closed', async () => {
    const name = `test:${crypto.randomUUID()}`
    const holder = await hold(name)
    const deletion = deleted(name)
    const { db, log } = database({ name, deadline: 20 })
    await expect(db.connection()).rejects.toMatchObject({ code: 'storage_busy' })
    expect(log).toEqual(Array.from({ length: 3 }, () => expect.stringContaining('has not opened for 20 ms')))
    holder.close()
    await deletion
    // Nothing of the three attempts holds the database now, and the failure was not kept.
    await deleted(name)
    expect(await db.connection()).toMatchObject({ name })
  })

  it('goes on after a silent attempt as soon as the database opens', async () => {
    const name = `test:${crypto.randomUUID()}`
    const holder = await hold(name)
    const deletion = deleted(name)
    const { db, log } = database({ name, deadline: 50 })
    const opening = db.connection()
    await vi.waitFor(() => expect(log).toHaveLength(1))
    holder.close()
    await deletion
    expect(await opening).toMatchObject({ name, version })
  })

  it('F49 rejects with advice when the browser has no IndexedDB or refuses it', async () => {
    const refused = { code: 'storage_refused', message: expect.stringContaining('allow site data') }
    vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => {
      throw new DOMException('The operation is insecure', 'SecurityError')
    })
    await expect(open()).rejects.toMatchObject(refused)
    vi.stubGlobal('indexedDB', undefined)
    await expect(open()).rejects.toMatchObject(refused)
  })

  it('that the browser aborts, since it deletes the data of the site, is tried again, but not for ever', async () => {
    const abort = (): never => {
      throw new DOMException('The connection was closed.', 'AbortError')
    }
    const factory = vi.spyOn(IDBFactory.prototype, 'open').mockImplementationOnce(abort)
    const { db, name } = database()
    expect(await db.connection()).toMatchObject({ name, version })
    factory.mockImplementation(abort)
    await expect(open()).rejects.toMatchObject({
      code: 'storage_refused',
      message: expect.stringContaining('The connection was closed.')
    })
  })

  it('that failed is not remembered', async () => {
    const { db } = database()
    vi.spyOn(IDBFactory.prototype, 'open').mockImplementationOnce(() => {
      throw new DOMException('later', 'InvalidStateError')
    })
    await expect(db.connection()).rejects.toMatchObject({ code: 'storage_refused' })
    expect(await db.connection()).toMatchObject({ version })
  })

  it('F43 F66 a database of a newer version is left alone: superseded', async () => {
    const name = `test:${crypto.randomUUID()}`
    const newer = await hold(name, version + 1)
    await expect(open({ name })).rejects.toMatchObject({ code: 'superseded' })
    newer.close()
  })

  it('F43 finds, when it opens anew, that a newer version took over: superseded, and its owner is told', async () => {
    const { db, log, name } = database()
    const connection = await db.connection()
    connection.close()
    db.lost(connection)
    const newer = await hold(name, version + 1)
    await expect(db.connection()).rejects.toMatchObject({ code: 'superseded' })
    expect(log).toEqual(['superseded'])
    newer.close()
  })

  it('happens once for calls that come together', async () => {
    const opens = vi.spyOn(IDBFactory.prototype, 'open')
    const { db } = database()
    const [a, b] = await Promise.all([db.connection(), db.connection()])
    expect(a).toBe(b)
    expect(opens).toHaveBeenCalledTimes(1)
  })

  it('that ends after close is undone', async () => {
    const { db, name } = database()
    const opening = db.connection()
    db.close()
    await expect(opening).rejects.toMatchObject({ code: 'closed' })
    await deleted(name)
    await expect(db.connection()).rejects.toMatchObject({ code: 'closed' })
  })
})

describe('giving way', () => {
  it('F42 F66 to a newer version: the owner may still write, then the database is closed', async () => {
    const log: string[] = []
    const storage = await open({
      onsuperseded: async () => {
        await storage.roster.abandon('worker-1')
        log.push('abandoned')
      }
    })
    const { task } = await storage.tasks.create(draft())
    const newer = await hold(storage.name, version + 1)
    expect(log).toEqual(['abandoned'])
    await expect(storage.tasks.get(task.taskId)).rejects.toMatchObject({ code: 'superseded' })
    await expect(
      storage.tasks.finish(fenceOf(task), { status: 'completed', outcome: { result: {} } })
    ).rejects.toMatchObject({
      code: 'superseded'
    })
    const request = newer.transaction('tasks').objectStore('tasks').get(task.taskId)
    await vi.waitFor(() => expect(request.result).toMatchObject({ executor: '', revision: 2 }))
    newer.close()
  })

  it('F76 to whoever deletes the database: its owner is told, and goes on with an empty one', async () => {
    const lost: string[] = []
    const storage = await open({ onlost: (reason) => lost.push(reason) })
    const { task } = await storage.tasks.create(draft())
    await deleted(storage.name)
    expect(lost).toEqual([expect.stringContaining('deleted')])
    expect(await storage.tasks.get(task.taskId)).toBeUndefined()
    expect(await storage.tasks.create(draft())).toMatchObject({ created: true })
  })

  it('to a browser that closes the database: its owner is told, and the next call opens it again', async () => {
    const lost: string[] = []
    const { db } = database({ onlost: (reason) => lost.push(reason) })
    const connection = await db.connection()
    unwrap(connection).dispatchEvent(new IDBVersionChangeEvent('close'))
    expect(lost).toEqual([expect.stringContaining('closed')])
    expect(await db.connection()).not.toBe(connection)
  })

  it('waits no more than two seconds for its owner, and tells of it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let asked = false
    const { db, log, name } = database({
      onsuperseded: () => {
        asked = true
        return new Promise(() => undefined)
      }
    })
    await db.connection()
    const newer = hold(name, version + 1)
    await vi.waitFor(() => expect(asked).toBe(true))
    await vi.advanceTimersByTimeAsync(2_000)
    ;(await newer).close()
    expect(log).toEqual([expect.stringContaining('did not answer within 2000 ms')])
  })

  it('happens once, when the one who asked died and another asks', async () => {
    const { db, log } = database()
    const connection = unwrap(await db.connection())
    for (let times = 0; times < 2; times += 1) {
      connection.dispatchEvent(
        new IDBVersionChangeEvent('versionchange', { oldVersion: version, newVersion: version + 1 })
      )
    }
    await vi.waitFor(() => expect(db.connection()).rejects.toMatchObject({ code: 'superseded' }))
    expect(log).toEqual(['superseded'])
  })

  it('happens even when its owner fails, and tells of it', async () => {
    const storage = await open({ onsuperseded: () => Promise.reject(new Error('cannot say goodbye')) })
    const newer = await hold(storage.name, version + 1)
    expect(storage.events).toMatchObject([{ type: 'error', error: { message: 'cannot say goodbye' } }])
    newer.close()
  })
})
