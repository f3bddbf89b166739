// Reports that come while one is written share the next write, and are told apart all the same.

import { afterEach, expect, test, vi } from 'vitest'
import { openStorage } from '../../../src/storage/open-storage.js'
import { fenceOf } from '../../../src/tasks/status.js'
import { draftOf } from '../../support/record.js'

afterEach(() => void vi.useRealTimers())

/** A storage whose writes of reports are counted, and a task for each ttl. */
async function stored(...ttls: number[]) {
  const writes: string[] = []
  const storage = await openStorage({
    name: `gather:${crypto.randomUUID()}`,
    publish: () => undefined,
    limits: { unfinished: Math.max(ttls.length, 4) },
    checkpoint: async (name) => void (name === 'committed:report' && writes.push(name))
  })
  const tasks = []
  for (const ttl of ttls) tasks.push((await storage.tasks.create(draftOf({ ttl }))).task)
  return { storage, writes, tasks }
}

test('a hundred tasks that report at once take three writes, and each is told of its own', async () => {
  const { storage, writes, tasks } = await stored(...Array.from({ length: 100 }, () => 60_000))
  const reports = tasks.map((task, n) => storage.tasks.report(fenceOf(task), { progress: { progress: n } }))
  const told = await Promise.all(reports)
  expect(told.map((task) => [task?.taskId, task?.progress?.progress])).toEqual(
    tasks.map(({ taskId }, n) => [taskId, n])
  )
  // The first alone, then fifty, then the rest.
  expect(writes).toHaveLength(3)
  storage.close()
})

test('of one task, each report adds to what the one before it left', async () => {
  const { storage, tasks } = await stored(60_000, 60_000)
  const [first, second] = tasks.map(fenceOf)
  if (first === undefined || second === undefined) throw new Error('Two tasks were made')
  await Promise.all([
    storage.tasks.report(second, { statusMessage: 'begins' }),
    storage.tasks.report(first, { statusMessage: 'half way' }),
    storage.tasks.report(first, { progress: { progress: 5 } }),
    storage.tasks.report(first, { progress: { progress: 3 } })
  ])
  expect(await storage.tasks.get(first.taskId)).toMatchObject({
    statusMessage: 'half way',
    progress: { progress: 5 },
    revision: (tasks[0]?.revision ?? 0) + 3
  })
  storage.close()
})

test('who lost its fence is refused beside others who hold theirs', async () => {
  const { storage, tasks } = await stored(60_000, 60_000, 60_000)
  const [first, lost, last] = tasks.map(fenceOf)
  if (first === undefined || lost === undefined || last === undefined) throw new Error('Three tasks were made')
  const told = await Promise.all(
    [first, { ...lost, attempt: lost.attempt + 1 }, last].map((fence) =>
      storage.tasks.report(fence, { statusMessage: 'still here' })
    )
  )
  expect(told.map((task) => task?.taskId)).toEqual([first.taskId, undefined, last.taskId])
  expect((await storage.tasks.get(lost.taskId))?.statusMessage).toBeUndefined()
  storage.close()
})

test('tasks that overran their time end, and their owner counts all of them', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { storage, tasks } = await stored(60_000, 1000, 1000, 1000)
  await expect(storage.tasks.create(draftOf())).rejects.toMatchObject({ code: 'limit_reached' })
  vi.setSystemTime(Date.now() + 2000)
  const reports = tasks.map((task) => storage.tasks.report(fenceOf(task), { statusMessage: 'late' }))
  const told = (await Promise.all(reports)).map((task) => task?.taskId)
  expect(told).toEqual([tasks[0]?.taskId, undefined, undefined, undefined])
  // There is room for three again.
  for (let n = 0; n < 3; n += 1) await storage.tasks.create(draftOf())
  await expect(storage.tasks.create(draftOf())).rejects.toMatchObject({ code: 'limit_reached' })
  storage.close()
})

test('a report that cannot be stored fails alone', async () => {
  const { storage, tasks } = await stored(60_000, 60_000, 60_000)
  const [first, second, third] = tasks.map(fenceOf)
  if (first === undefined || second === undefined || third === undefined) throw new Error('Three tasks were made')
  const circle: Record<string, unknown> = {}
  circle.self = circle
  const told = await Promise.allSettled([
    storage.tasks.report(first, { statusMessage: 'one' }),
    storage.tasks.report(second, { progress: { progress: 1, ...circle } }),
    storage.tasks.report(third, { statusMessage: 'three' })
  ])
  expect(told.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  storage.close()
})
