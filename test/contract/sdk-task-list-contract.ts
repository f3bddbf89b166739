import { describe, expect, it } from 'vitest'
import { create, createMany, type NewStore, text } from './sdk-stores-harness.js'

const idsOf = ({ tasks }: { tasks: { taskId: string }[] }): string[] => tasks.map(({ taskId }) => taskId)

/** Who sees which tasks of an SDK TaskStore, and in what order. */
export function sdkTaskListContract(name: string, open: NewStore): void {
  describe(`${name}: getAllTasks and cleanup`, () => {
    it('4.1 getAllTasks: returns all three, with distinct ids', async () => {
      const store = open()
      const ids = await createMany(store, 3)
      expect(idsOf({ tasks: await store.getAllTasks() })).toEqual(ids)
      expect(new Set(ids).size).toBe(3)
    })

    it('4.1 getAllTasks: is empty at first', async () => {
      expect(await open().getAllTasks()).toEqual([])
    })

    it('returns the tasks of all sessions', async () => {
      const store = open()
      const ids = [
        ...(await createMany(store, 2, 'a')),
        ...(await createMany(store, 2, 'b')),
        ...(await createMany(store, 1))
      ]
      expect(idsOf({ tasks: await store.getAllTasks() })).toEqual(ids)
    })

    it('4.1 cleanup: empties the store', async () => {
      const store = open()
      const { taskId } = await create(store)
      await store.storeTaskResult(taskId, 'completed', text('packed'))
      await create(store, 60_000)
      await store.cleanup()
      expect(await store.getAllTasks()).toEqual([])
      expect(await store.getTask(taskId)).toBeNull()
      await expect(store.getTaskResult(taskId)).rejects.toThrow('not found')
    })
  })

  describe(`${name}: listTasks`, () => {
    it('4.1 listTasks: empty has no cursor', async () => {
      const page = await open().listTasks()
      expect(page.tasks).toEqual([])
      expect(page.nextCursor).toBeUndefined()
    })

    it.each([3, 10])('4.1 listTasks: no more than a page, here %i, has no cursor, in creation order', async (count) => {
      const store = open()
      const ids = await createMany(store, count)
      const page = await store.listTasks()
      expect(idsOf(page)).toEqual(ids)
      expect(page.nextCursor).toBeUndefined()
    })

    it('4.1 listTasks: 15 come as 10 with a cursor, then 5 without', async () => {
      const store = open()
      const ids = await createMany(store, 15)
      const first = await store.listTasks()
      const second = await store.listTasks(first.nextCursor)
      expect(idsOf(first)).toEqual(ids.slice(0, 10))
      expect(idsOf(second)).toEqual(ids.slice(10))
      expect(first.nextCursor).toEqual(expect.any(String))
      expect(second.nextCursor).toBeUndefined()
    })

    it('4.1 listTasks: an unknown cursor rejects with its text', async () => {
      const store = open()
      await create(store)
      await expect(store.listTasks('nowhere')).rejects.toThrow('Invalid cursor: nowhere')
    })

    it("4.1 listTasks: the third task's id as cursor yields the two after it", async () => {
      const store = open()
      const ids = await createMany(store, 5)
      expect(idsOf(await store.listTasks(ids[2]))).toEqual(ids.slice(3))
    })

    it('an empty cursor is none', async () => {
      const store = open()
      const ids = await createMany(store, 2)
      expect(idsOf(await store.listTasks(''))).toEqual(ids)
    })
  })

  describe(`${name}: sessions`, () => {
    it("another session's task is unknown: no state, result or change of it", async () => {
      const store = open()
      const { taskId } = await create(store, undefined, 'a')
      const unknown = `Task with ID ${taskId} not found`
      expect(await store.getTask(taskId, 'b')).toBeNull()
      await expect(store.updateTaskStatus(taskId, 'cancelled', undefined, 'b')).rejects.toThrow(unknown)
      await expect(store.storeTaskResult(taskId, 'completed', text('x'), 'b')).rejects.toThrow(unknown)
      await store.storeTaskResult(taskId, 'completed', text('mine'), 'a')
      await expect(store.getTaskResult(taskId, 'b')).rejects.toThrow(unknown)
      expect(await store.getTaskResult(taskId, 'a')).toEqual(text('mine'))
    })

    it('who gives no session may do everything', async () => {
      const store = open()
      const { taskId } = await create(store, undefined, 'a')
      expect(await store.getTask(taskId)).toMatchObject({ taskId })
      await store.updateTaskStatus(taskId, 'input_required')
      await store.storeTaskResult(taskId, 'completed', text('x'))
      expect(await store.getTaskResult(taskId)).toEqual(text('x'))
    })

    it("what nobody owns is everybody's", async () => {
      const store = open()
      const { taskId } = await create(store)
      await store.updateTaskStatus(taskId, 'working', 'seen', 'a')
      expect(await store.getTask(taskId, 'b')).toMatchObject({ statusMessage: 'seen' })
    })

    it('a session with an empty id is a session like any other', async () => {
      const store = open()
      const { taskId } = await create(store, undefined, '')
      expect(await store.getTask(taskId, '')).toMatchObject({ taskId })
      expect(await store.getTask(taskId, 'a')).toBeNull()
      expect(idsOf(await store.listTasks(undefined, 'a'))).toEqual([])
    })

    it("a list holds the session's own and nobody's, in creation order, page by page", async () => {
      const store = open()
      const mine: string[] = []
      for (let n = 0; n < 36; n += 1) {
        const session = [undefined, 'a', 'b'][n % 3]
        const [id = ''] = await createMany(store, 1, session)
        if (session !== 'b') mine.push(id)
      }
      const pages: string[][] = []
      let cursor: string | undefined
      do {
        const page = await store.listTasks(cursor, 'a')
        pages.push(idsOf(page))
        cursor = page.nextCursor
      } while (cursor !== undefined)
      expect(pages.map((page) => page.length)).toEqual([10, 10, 4])
      expect(pages.flat()).toEqual(mine)
    })

    it("another session's task is no cursor", async () => {
      const store = open()
      const { taskId } = await create(store, undefined, 'a')
      await expect(store.listTasks(taskId, 'b')).rejects.toThrow(`Invalid cursor: ${taskId}`)
    })
  })
}
