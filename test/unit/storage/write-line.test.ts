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

test('F51 of writes in one transaction one that is refused by a rule undoes none of the others, and none runs again', async () => {
  const storage = await open({ limits: { unfinished: 5 } })
  const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction')
  const made = await Promise.allSettled(ids.map((taskId) => storage.tasks.create(draft({ taskId }))))
  expect(made.map(({ status }) => status)).toEqual(ids.map((_, i) => (i < 5 ? 'fulfilled' : 'rejected')))
  expect(storage.published).toEqual(ids.slice(0, 5))
  const { tasks } = await storage.tasks.list('alice', { order: 'oldest', limit: 50 })
  expect(tasks.map(({ taskId }) => taskId)).toEqual(ids.slice(0, 5))
  expect(transaction.mock.calls.filter(([, mode]) => mode === 'readwrite')).toHaveLength(2)
})

test('of writes in one transaction one with a request that fails undoes itself, and no other', async () => {
  const storage = await open()
  const twice = ['first', 'second', 'first', 'third']
  const made = await Promise.allSettled(twice.map((taskId) => storage.tasks.create(draft({ taskId }))))
  expect(made.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(made[2]).toMatchObject({ reason: { code: 'key_conflict' } })
  const { tasks } = await storage.tasks.list('alice', { order: 'oldest', limit: 50 })
  expect(tasks.map(({ taskId }) => taskId)).toEqual(['first', 'second', 'third'])
})

test('a call that is refused for want of room deletes nothing', async () => {
  const storage = await open({ limits: { kept: 4 } })
  for (const taskId of ['a', 'b', 'c', 'd']) await storage.tasks.create(draft({ taskId }))
  await storage.tasks.finish({ taskId: 'a' }, { status: 'completed', outcome: { result: {} } })
  const smaller = await open({ name: storage.name, limits: { kept: 3 } })
  await expect(smaller.tasks.create(draft())).rejects.toMatchObject({ code: 'limit_reached' })
  expect(await smaller.tasks.get('a')).toMatchObject({ status: 'completed' })
  expect(smaller.published).toEqual([])
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
