import { afterEach, describe, expect, it, vi } from 'vitest'
import { completed, draft, fenceOf, type Opened, question, start } from '../../contract/storage-harness.js'
import { open } from './fixture.js'

/** All rows that name the task, by store. */
async function traces(storage: Opened, taskId: string): Promise<string[]> {
  const request = indexedDB.open(storage.name)
  const db = await new Promise<IDBDatabase>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(new Error('Cannot open', { cause: request.error }))
  })
  const names = Array.from(db.objectStoreNames)
  const tx = db.transaction(names)
  const stores = names.map((name) => ({ name, rows: tx.objectStore(name).getAll() }))
  await new Promise<void>((resolve) => (tx.oncomplete = () => resolve()))
  db.close()
  return stores.filter(({ rows }) => JSON.stringify(rows.result).includes(taskId)).map(({ name }) => name)
}

async function wholeLife(storage: Opened): Promise<string> {
  const { task, fence } = await start(storage, { idempotencyKey: 'key', ttl: 1_000 })
  await storage.messages.ask(fence, question())
  await storage.messages.notify(fence, 'notifications/message', {})
  await storage.steps.record(fence, 'step', 1)
  await storage.tasks.finish(fence, completed())
  return task.taskId
}

afterEach(() => void vi.useRealTimers())

describe('of a task that is gone no row stays', () => {
  it('nor of one that never was', async () => {
    const storage = await open()
    const taskId = await wholeLife(storage)
    expect(await traces(storage, taskId)).toEqual(['calls', 'messages', 'outcomes', 'steps', 'tasks'])
    expect(await traces(storage, crypto.randomUUID())).toEqual([])
  })

  it('when it was deleted', async () => {
    const storage = await open()
    const taskId = await wholeLife(storage)
    await storage.tasks.remove('alice', taskId)
    expect(await traces(storage, taskId)).toEqual([])
  })

  it('when its owner was forgotten', async () => {
    const storage = await open()
    const taskId = await wholeLife(storage)
    await storage.tasks.remove('alice')
    expect(await traces(storage, taskId)).toEqual([])
  })

  it('when it was past its retention', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const storage = await open()
    const taskId = await wholeLife(storage)
    vi.setSystemTime(Date.now() + 1_000)
    await storage.retention.sweep()
    expect(await traces(storage, taskId)).toEqual([])
  })

  it('when it made room for another', async () => {
    const storage = await open({ limits: { kept: 1 } })
    const taskId = await wholeLife(storage)
    const { task } = await storage.tasks.create(draft())
    expect(await traces(storage, taskId)).toEqual([])
    expect(await storage.tasks.report(fenceOf(task), { statusMessage: 'in' })).toMatchObject({ seq: 2 })
  })
})
