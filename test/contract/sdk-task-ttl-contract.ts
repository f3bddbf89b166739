import type { TaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/interfaces.js'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { create, type NewStore, text } from './sdk-stores-harness.js'

const alive = async (store: TaskStore, taskId: string): Promise<boolean> => (await store.getTask(taskId)) !== null

/** How long an SDK TaskStore keeps its tasks. */
export function sdkTaskTtlContract(name: string, open: NewStore): void {
  describe(`${name}: ttl`, () => {
    beforeEach(() => void vi.useFakeTimers())
    afterEach(() => void vi.useRealTimers())

    it('4.1 ttl: a task is gone 1001 ms after a ttl of 1000 ms, and was there before', async () => {
      const store = open()
      const { taskId } = await create(store, 1_000)
      vi.advanceTimersByTime(999)
      expect(await alive(store, taskId)).toBe(true)
      vi.advanceTimersByTime(2)
      expect(await alive(store, taskId)).toBe(false)
      expect(await store.getAllTasks()).toEqual([])
      expect((await store.listTasks()).tasks).toEqual([])
    })

    it('4.1 ttl: storing a result starts the clock anew', async () => {
      const store = open()
      const { taskId } = await create(store, 1_000)
      vi.advanceTimersByTime(900)
      await store.storeTaskResult(taskId, 'completed', text('packed'))
      vi.advanceTimersByTime(900)
      expect(await store.getTaskResult(taskId)).toEqual(text('packed'))
      vi.advanceTimersByTime(101)
      await expect(store.getTaskResult(taskId)).rejects.toThrow(`Task with ID ${taskId} not found`)
    })

    it('4.1 ttl: without one a task survives 100 s', async () => {
      const store = open()
      const { taskId } = await create(store)
      vi.advanceTimersByTime(100_000)
      expect(await alive(store, taskId)).toBe(true)
    })

    it('4.1 ttl: what has not ended expires as well, and an update does not save it', async () => {
      const store = open()
      const { taskId } = await create(store, 1_000)
      vi.advanceTimersByTime(900)
      await store.updateTaskStatus(taskId, 'input_required')
      vi.advanceTimersByTime(101)
      expect(await alive(store, taskId)).toBe(false)
      await expect(store.updateTaskStatus(taskId, 'working')).rejects.toThrow('not found')
      await expect(store.storeTaskResult(taskId, 'completed', text('late'))).rejects.toThrow('not found')
    })

    it.each(['completed', 'failed', 'cancelled'] as const)(
      '4.1 ttl: what updateTaskStatus set %s expires, a ttl after that',
      async (status) => {
        const store = open()
        const { taskId } = await create(store, 1_000)
        vi.advanceTimersByTime(900)
        await store.updateTaskStatus(taskId, status)
        vi.advanceTimersByTime(900)
        expect(await alive(store, taskId)).toBe(true)
        vi.advanceTimersByTime(101)
        expect(await alive(store, taskId)).toBe(false)
      }
    )

    it('4.1 ttl: the ttl that is returned is the one that is applied', async () => {
      const store = open()
      const { taskId, ttl } = await create(store, 5_000)
      expect(ttl).toBe(5_000)
      vi.advanceTimersByTime(4_999)
      expect(await store.getTask(taskId)).toMatchObject({ ttl: 5_000 })
      vi.advanceTimersByTime(2)
      expect(await alive(store, taskId)).toBe(false)
    })

    it.each([undefined, null, 0])('4.1 ttl: %s means for ever', async (asked) => {
      const store = open()
      const { taskId, ttl } = await create(store, asked)
      expect(ttl).toBe(asked ?? null)
      vi.advanceTimersByTime(1_000_000)
      expect(await alive(store, taskId)).toBe(true)
    })

    it('4.1 ttl: working, completed and failed tasks all expire', async () => {
      const store = open()
      const working = await create(store, 1_000)
      const completed = await create(store, 1_000)
      const failed = await create(store, 1_000)
      await store.storeTaskResult(completed.taskId, 'completed', text('x'))
      await store.storeTaskResult(failed.taskId, 'failed', text('y'))
      vi.advanceTimersByTime(1_001)
      for (const { taskId } of [working, completed, failed]) expect(await alive(store, taskId)).toBe(false)
    })

    it('an expired task is no cursor by its id', async () => {
      const store = open()
      const { taskId } = await create(store, 1_000)
      await create(store)
      vi.advanceTimersByTime(1_001)
      await expect(store.listTasks(taskId)).rejects.toThrow(`Invalid cursor: ${taskId}`)
    })
  })
}
