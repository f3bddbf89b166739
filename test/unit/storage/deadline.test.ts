import { afterEach, describe, expect, it, vi } from 'vitest'
import { draft } from '../../contract/storage-harness.js'
import { open } from './fixture.js'

/** Milliseconds; a machine that is busy opens the database in less. */
const deadline = 250

afterEach(() => void vi.restoreAllMocks())

/** Holds a transaction open as a frozen tab may, until it is let go. */
function hang(tx: IDBTransaction): () => void {
  let held = true
  const spin = (): void => {
    if (!held) return
    tx.objectStore('tasks').get('none').onsuccess = spin
  }
  spin()
  return () => void (held = false)
}

function opened(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name)
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(new Error('The database did not open', { cause: request.error }))
  })
}

describe('a transaction that hangs', () => {
  it('F50 makes calls say "busy" at the deadline; what they would have written is never written', async () => {
    const storage = await open({ deadline })
    const { task } = await storage.tasks.create(draft())
    const frozen = await opened(storage.name)
    const release = hang(frozen.transaction('tasks', 'readwrite'))
    const busy = { code: 'storage_busy' }
    await Promise.all([
      expect(storage.tasks.create(draft({ taskId: 'late' }))).rejects.toMatchObject(busy),
      expect(storage.tasks.get(task.taskId)).rejects.toMatchObject(busy),
      expect(storage.messages.claim(task.taskId, 'alice', { connection: 'c', can: [] }, 0)).rejects.toMatchObject(busy),
      expect(storage.retention.sweep()).rejects.toMatchObject(busy)
    ])
    release()
    await vi.waitFor(async () => expect(await storage.tasks.get(task.taskId)).toEqual(task))
    expect(await storage.tasks.get('late')).toBeUndefined()
    expect(storage.published).toEqual([task.taskId])
    frozen.close()
  })

  it('F50 in its commit makes the call say "busy", and is announced when it gets through after all', async () => {
    const storage = await open({ deadline })
    let release = (): void => undefined
    vi.spyOn(IDBTransaction.prototype, 'commit').mockImplementationOnce(function (this: IDBTransaction) {
      release = hang(this)
    })
    vi.spyOn(IDBTransaction.prototype, 'abort').mockImplementation(() => {
      throw new DOMException('The transaction is committing', 'InvalidStateError')
    })
    await expect(storage.tasks.create(draft({ taskId: 'late' }))).rejects.toMatchObject({ code: 'storage_busy' })
    expect(storage.published).toEqual([])
    release()
    await vi.waitFor(() => expect(storage.published).toEqual(['late']))
    expect(await storage.tasks.get('late')).toMatchObject({ status: 'working' })
  })

  it('leaves no timer behind when it ends in time', async () => {
    const storage = await open({ deadline })
    const cleared = vi.spyOn(globalThis, 'clearTimeout')
    const set = vi.spyOn(globalThis, 'setTimeout')
    await storage.tasks.create(draft())
    const timers = set.mock.results.map((result) => result.value as unknown)
    expect(timers).toHaveLength(1)
    await vi.waitFor(() => expect(cleared.mock.calls.map(([timer]) => timer)).toEqual(timers))
  })
})
