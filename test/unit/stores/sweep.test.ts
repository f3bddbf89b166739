import { openDB } from 'idb'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { create, request, text } from '../../contract/sdk-stores-harness.js'
import { freshName, openQueue, openStore } from './fixture.js'

/** Rows on disk, by store. */
async function rowsOf(name: string): Promise<Record<string, number>> {
  const db = await openDB(name)
  const counts = await Promise.all(
    [...db.objectStoreNames].map(async (store) => [store, await db.count(store)] as const)
  )
  db.close()
  return Object.fromEntries(counts)
}

describe('what expired is deleted, with its result and its messages', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  async function fill(name: string, count: number): Promise<void> {
    const store = openStore({ name })
    const queue = openQueue({ name })
    for (let n = 0; n < count; n += 1) {
      const { taskId } = await create(store, 1_000)
      await store.storeTaskResult(taskId, 'completed', text('x'))
      await queue.enqueue(taskId, request(1))
      await queue.enqueue(taskId, request(2))
    }
    await queue.enqueue('of no store', request(3))
    expect(await rowsOf(name)).toEqual({ tasks: count, results: count, messages: 2 * count + 1 })
  }

  it('by the first call of a store', async () => {
    const name = freshName()
    await fill(name, 45)
    vi.advanceTimersByTime(1_001)
    await openStore({ name }).getTask('any')
    await vi.waitFor(async () => expect(await rowsOf(name)).toEqual({ tasks: 0, results: 0, messages: 1 }))
  })

  it('by whoever creates a task', async () => {
    const name = freshName()
    const store = openStore({ name })
    await store.getAllTasks()
    await fill(name, 5)
    vi.advanceTimersByTime(1_001)
    await create(store)
    expect(await rowsOf(name)).toEqual({ tasks: 1, results: 0, messages: 1 })
  })

  it('and what is not due stays', async () => {
    const name = freshName()
    await fill(name, 3)
    vi.advanceTimersByTime(999)
    const store = openStore({ name })
    await create(store)
    expect(await rowsOf(name)).toEqual({ tasks: 4, results: 3, messages: 7 })
  })
})

describe('cleanup', () => {
  it('leaves no row behind', async () => {
    const name = freshName()
    const store = openStore({ name })
    const { taskId } = await create(store)
    await store.storeTaskResult(taskId, 'completed', text('x'))
    await openQueue({ name }).enqueue(taskId, request(1))
    await store.cleanup()
    expect(await rowsOf(name)).toEqual({ tasks: 0, results: 0, messages: 0 })
  })
})
