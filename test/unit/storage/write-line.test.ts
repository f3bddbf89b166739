import { afterEach, expect, test, vi } from 'vitest'
import { draft, fenceOf } from '../../contract/storage-harness.js'
import { open } from './fixture.js'

const ids = Array.from({ length: 10 }, (_, i) => `task-${i}`)

afterEach(() => void vi.restoreAllMocks())

test('writes that come while one is under way share the next transaction, and keep their order', async () => {
  const storage = await open()
  const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction')
  const created = await Promise.all(ids.map((taskId) => storage.tasks.create(draft({ taskId }))))
  expect(transaction.mock.calls).toHaveLength(2)
  expect(created.map(({ task }) => task.seq)).toEqual(ids.map((_, i) => i + 1))
  expect(storage.published).toEqual(ids)
})

test('of writes in one transaction one that fails undoes itself, and no other', async () => {
  const storage = await open({ limits: { unfinished: 5 } })
  const made = await Promise.allSettled(ids.map((taskId) => storage.tasks.create(draft({ taskId }))))
  expect(made.map(({ status }) => status)).toEqual(ids.map((_, i) => (i < 5 ? 'fulfilled' : 'rejected')))
  expect(storage.published).toEqual(ids.slice(0, 5))
  const { tasks } = await storage.tasks.list('alice', { order: 'oldest', limit: 50 })
  expect(tasks.map(({ taskId }) => taskId)).toEqual(ids.slice(0, 5))
})

test('a write sees what one before it in the same transaction did', async () => {
  const storage = await open()
  const { task } = await storage.tasks.create(draft())
  const other = storage.tasks.create(draft({ taskId: 'other' }))
  const end = { status: 'completed', outcome: { result: {} } } as const
  const ends = await Promise.all([1, 2].map(() => storage.tasks.finish(fenceOf(task), end)))
  expect(ends.map((ended) => ended?.status)).toEqual(['completed', undefined])
  await other
})
