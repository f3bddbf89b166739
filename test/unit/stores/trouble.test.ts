import { openDB } from 'idb'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { IndexedDbTaskMessageQueue, IndexedDbTaskStore } from '../../../src/stores.js'
import { create, request } from '../../contract/sdk-stores-harness.js'
import { freshName, openQueue, openStore } from './fixture.js'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('construction', () => {
  it('opens nothing, and neither does close', () => {
    const open = vi.spyOn(indexedDB, 'open')
    new IndexedDbTaskStore().close()
    new IndexedDbTaskMessageQueue().close()
    expect(open).not.toHaveBeenCalled()
  })

  it.each([{ name: '' }, { deadline: -1 }, { deadline: NaN }])('refuses %o, which can be no such thing', (options) => {
    const refused = expect.objectContaining({ code: 'invalid_options' })
    expect(() => new IndexedDbTaskStore(options)).toThrow(refused)
    expect(() => new IndexedDbTaskMessageQueue(options)).toThrow(refused)
  })

  it('F49 does not throw where there is no storage; each call says what to do', async () => {
    vi.stubGlobal('indexedDB', undefined)
    const store = openStore()
    const refused = { name: 'IntabError', code: 'storage_refused', message: expect.stringContaining('allow site data') }
    await expect(create(store)).rejects.toMatchObject(refused)
    await expect(store.listTasks()).rejects.toMatchObject(refused)
    await expect(openQueue().enqueue('task', request(1))).rejects.toMatchObject(refused)
  })

  it('takes the default name, and the durability that it is given', async () => {
    const open = vi.spyOn(indexedDB, 'open')
    const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction')
    const store = new IndexedDbTaskStore({ durability: 'strict' })
    await store.getAllTasks()
    store.close()
    expect(open).toHaveBeenCalledWith('intab-stores', 1)
    expect(transaction).toHaveBeenCalledWith(expect.anything(), 'readonly', { durability: 'strict' })
  })
})

describe('storage that recovers', () => {
  it('a refusal is not remembered', async () => {
    const store = openStore()
    const open = vi.spyOn(indexedDB, 'open').mockImplementationOnce(() => {
      throw new DOMException('no', 'SecurityError')
    })
    await expect(create(store)).rejects.toMatchObject({ code: 'storage_refused' })
    expect(await create(store)).toMatchObject({ status: 'working' })
    expect(open).toHaveBeenCalledTimes(2)
  })

  it('F43 a connection that the browser closed is opened anew', async () => {
    const store = openStore()
    const { taskId } = await create(store)
    const transaction = IDBDatabase.prototype.transaction
    vi.spyOn(IDBDatabase.prototype, 'transaction')
      .mockImplementationOnce(() => {
        throw new DOMException('closing', 'InvalidStateError')
      })
      .mockImplementation(function (this: IDBDatabase, ...args) {
        return transaction.apply(this, args)
      })
    expect(await store.getTask(taskId)).toMatchObject({ taskId })
  })
})

describe('F50 a browser that hangs', () => {
  it('fails the call at its deadline, those that wait behind it with it, and nobody after them', async () => {
    const store = openStore({ deadline: 50 })
    await store.getAllTasks()
    await store.getAllTasks()
    const hang = vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(
      () =>
        ({
          done: new Promise(() => undefined),
          abort() {},
          commit() {},
          objectStore: () => ({ index: () => ({ get: () => new Promise(() => undefined) }) })
        }) as never
    )
    const calls = [store.getTask('a'), store.getTask('b'), store.getTask('c')]
    const ends = await Promise.allSettled(calls)
    expect(ends.map((end) => (end.status === 'rejected' ? (end.reason as { code: string }).code : ''))).toEqual(
      Array(3).fill('storage_busy')
    )
    hang.mockRestore()
    expect(await store.getTask('a')).toBeNull()
  })
})

describe('clear ends', () => {
  it('after close each call rejects with closed; the tasks stay', async () => {
    const name = freshName()
    const store = openStore({ name })
    const queue = openQueue({ name })
    const { taskId } = await create(store)
    store.close()
    store.close()
    queue.close()
    await expect(store.getTask(taskId)).rejects.toMatchObject({ code: 'closed' })
    await expect(queue.dequeue(taskId)).rejects.toMatchObject({ code: 'closed' })
    expect(await openStore({ name }).getTask(taskId)).toMatchObject({ taskId })
  })

  it('the database of something else is refused by name', async () => {
    const name = freshName()
    const foreign = await openDB(name, 1, { upgrade: (db) => void db.createObjectStore('birds') })
    foreign.close()
    await expect(create(openStore({ name }))).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining(`"${name}" belongs to something else`) as unknown
    })
  })

  it('F42 a newer version on disk is superseded, and a newer one that comes is let in', async () => {
    const name = freshName()
    const store = openStore({ name })
    await create(store)
    const newer = await openDB(name, 2)
    await expect(create(store)).rejects.toMatchObject({ code: 'superseded' })
    await expect(create(openStore({ name }))).rejects.toMatchObject({ code: 'superseded' })
    newer.close()
  })

  it('F29 without crypto.randomUUID it says what is missing', async () => {
    vi.stubGlobal('crypto', { getRandomValues: () => undefined })
    const store = new IndexedDbTaskStore({ name: 'insecure' })
    await expect(create(store)).rejects.toMatchObject({ code: 'insecure_context' })
    store.close()
  })
})

describe('onerror', () => {
  it('hears of a sweep that failed, which no caller sees', async () => {
    const onerror = vi.fn<(error: Error) => void>()
    const store = openStore({ onerror })
    vi.spyOn(IDBIndex.prototype, 'getAll').mockImplementation(() => {
      throw new DOMException('broken', 'DataError')
    })
    expect(await store.getTask('any')).toBeNull()
    await vi.waitFor(() => expect(onerror).toHaveBeenCalledWith(expect.objectContaining({ name: 'DataError' })))
  })

  it('hears that an older version holds up the opening', async () => {
    const name = freshName()
    const onerror = vi.fn<(error: Error) => void>()
    const store = openStore({ name, onerror })
    const request = new EventTarget()
    vi.spyOn(indexedDB, 'open').mockReturnValueOnce(request as IDBOpenDBRequest)
    const call = store.getAllTasks()
    call.catch(() => undefined)
    await vi.waitFor(() => expect(indexedDB.open).toHaveBeenCalled())
    request.dispatchEvent(Object.assign(new Event('blocked'), { oldVersion: 1, newVersion: 2 }))
    expect(onerror).toHaveBeenCalledWith(expect.objectContaining({ code: 'blocked' }))
  })
})
