import { describe, expect, it } from 'vitest'
import { call, create, createMany, type NewStore, text } from './sdk-stores-harness.js'

const finals = ['completed', 'failed', 'cancelled'] as const
const others = ['working', 'input_required', 'completed', 'failed', 'cancelled'] as const

/** One task of an SDK TaskStore from its creation to its end; lists and ttl have suites of their own. */
export function sdkTaskStoreContract(name: string, open: NewStore): void {
  describe(`${name}: createTask`, () => {
    it('4.1 createTask: a task is working, with an id, the ttl asked for, a pollInterval and a time', async () => {
      const task = await create(open(), 60_000)
      expect(task).toMatchObject({ status: 'working', ttl: 60_000, pollInterval: 1_000 })
      expect(task.taskId).not.toBe('')
      expect(new Date(task.createdAt).toISOString()).toBe(task.createdAt)
      expect(task.lastUpdatedAt).toBe(task.createdAt)
    })

    it('4.1 createTask: a ttl that nobody asked for is null', async () => {
      expect((await create(open())).ttl).toBeNull()
    })

    it('4.1 createTask: two tasks have two ids', async () => {
      expect(new Set(await createMany(open(), 2)).size).toBe(2)
    })

    it('keeps the pollInterval that was asked for', async () => {
      const store = open()
      const { taskId } = await store.createTask({ pollInterval: 250, context: { shelf: 3 } }, 'id-7', call)
      expect(await store.getTask(taskId)).toMatchObject({ pollInterval: 250, ttl: null })
    })
  })

  describe(`${name}: getTask`, () => {
    it('4.1 getTask: unknown id is null', async () => {
      expect(await open().getTask('none')).toBeNull()
    })

    it('4.1 getTask: shows the state after an update, from working to working, too', async () => {
      const store = open()
      const { taskId } = await create(store)
      await store.updateTaskStatus(taskId, 'working')
      expect(await store.getTask(taskId)).toMatchObject({ taskId, status: 'working' })
    })

    it('shows the fields of a Task and no others: the SDK puts it on the wire as it is', async () => {
      const store = open()
      const { taskId } = await create(store, 60_000, 'session-1')
      await store.updateTaskStatus(taskId, 'input_required', 'asked')
      const known = ['createdAt', 'lastUpdatedAt', 'pollInterval', 'status', 'statusMessage', 'taskId', 'ttl']
      expect(Object.keys((await store.getTask(taskId)) ?? {}).sort()).toEqual(known)
      const { tasks } = await store.listTasks()
      expect(tasks).toEqual([await store.getTask(taskId)])
    })
  })

  describe(`${name}: updateTaskStatus`, () => {
    it('4.1 updateTaskStatus: starts working · can be set input_required', async () => {
      const store = open()
      const { taskId } = await create(store)
      expect(await store.getTask(taskId)).toMatchObject({ status: 'working' })
      await store.updateTaskStatus(taskId, 'input_required')
      expect(await store.getTask(taskId)).toMatchObject({ status: 'input_required' })
    })

    it.each(finals)('4.1 updateTaskStatus: can be set %s, without a result, and keeps its message', async (status) => {
      const store = open()
      const { taskId } = await create(store)
      await store.updateTaskStatus(taskId, status, 'that was it')
      expect(await store.getTask(taskId)).toMatchObject({ status, statusMessage: 'that was it' })
      await expect(store.getTaskResult(taskId)).rejects.toThrow(`Task ${taskId} has no result stored`)
    })

    it('4.1 updateTaskStatus: unknown id rejects', async () => {
      await expect(open().updateTaskStatus('none', 'working')).rejects.toThrow('Task with ID none not found')
    })

    it('keeps the old message when none or an empty one is given', async () => {
      const store = open()
      const { taskId } = await create(store)
      await store.updateTaskStatus(taskId, 'working', 'packing')
      await store.updateTaskStatus(taskId, 'input_required')
      await store.updateTaskStatus(taskId, 'working', '')
      expect(await store.getTask(taskId)).toMatchObject({ statusMessage: 'packing' })
    })
  })

  describe(`${name}: the lifecycle`, () => {
    const legal = [
      ['working', 'input_required'],
      ['working', 'completed'],
      ['working', 'failed'],
      ['working', 'cancelled'],
      ['input_required', 'working'],
      ['input_required', 'completed'],
      ['input_required', 'failed'],
      ['input_required', 'cancelled']
    ] as const
    it.each(legal)('4.1 lifecycle: %s → %s', async (from, to) => {
      const store = open()
      const { taskId } = await create(store)
      await store.updateTaskStatus(taskId, from)
      await store.updateTaskStatus(taskId, to)
      expect(await store.getTask(taskId)).toMatchObject({ status: to })
    })

    it.each(finals)('4.1 lifecycle: %s refuses every other', async (status) => {
      const store = open()
      const { taskId } = await create(store)
      await store.updateTaskStatus(taskId, status, 'kept')
      for (const other of others) {
        await expect(store.updateTaskStatus(taskId, other, 'late')).rejects.toThrow(
          `Cannot update task ${taskId} from terminal status '${status}' to '${other}'.`
        )
      }
      expect(await store.getTask(taskId)).toMatchObject({ status, statusMessage: 'kept' })
    })
  })

  describe(`${name}: storeTaskResult`, () => {
    it('4.1 storeTaskResult: stores the result as it is, and completes', async () => {
      const store = open()
      const { taskId } = await create(store)
      const result = { ...text('packed'), structuredContent: { shelf: [3, { n: null }] }, _meta: { 'a/b': 1 } }
      await store.storeTaskResult(taskId, 'completed', result)
      expect(await store.getTaskResult(taskId)).toEqual(result)
      expect(await store.getTask(taskId)).toMatchObject({ status: 'completed' })
    })

    it('4.1 storeTaskResult: unknown id rejects, and makes nothing', async () => {
      const store = open()
      await expect(store.storeTaskResult('none', 'completed', text('x'))).rejects.toThrow('Task with ID none not found')
      expect(await store.getAllTasks()).toEqual([])
    })

    it.each(['completed', 'failed'] as const)(
      '4.1 storeTaskResult: a second one on %s rejects, and the first stays',
      async (status) => {
        const store = open()
        const { taskId } = await create(store)
        await store.storeTaskResult(taskId, status, text('first'))
        await expect(store.storeTaskResult(taskId, 'completed', text('second'))).rejects.toThrow(
          `Cannot store result for task ${taskId} in terminal status '${status}'. Task results can only be stored once.`
        )
        expect(await store.getTaskResult(taskId)).toEqual(text('first'))
      }
    )

    it('4.1 storeTaskResult: failed with an isError result is kept', async () => {
      const store = open()
      const { taskId } = await create(store)
      await store.storeTaskResult(taskId, 'failed', { ...text('no shelf'), isError: true })
      expect(await store.getTask(taskId)).toMatchObject({ status: 'failed' })
      expect(await store.getTaskResult(taskId)).toEqual({ ...text('no shelf'), isError: true })
    })

    it('E4 whatever status is given is kept, also completed with isError', async () => {
      const store = open()
      const { taskId } = await create(store)
      await store.storeTaskResult(taskId, 'completed', { ...text('no shelf'), isError: true })
      expect(await store.getTask(taskId)).toMatchObject({ status: 'completed' })
    })

    it('4.1 storeTaskResult: on cancelled rejects', async () => {
      const store = open()
      const { taskId } = await create(store)
      await store.updateTaskStatus(taskId, 'cancelled')
      await expect(store.storeTaskResult(taskId, 'completed', text('late'))).rejects.toThrow(
        `Cannot store result for task ${taskId}`
      )
      await expect(store.getTaskResult(taskId)).rejects.toThrow('has no result stored')
    })

    it('4.1 storeTaskResult: is allowed from input_required', async () => {
      const store = open()
      const { taskId } = await create(store)
      await store.updateTaskStatus(taskId, 'input_required')
      await store.storeTaskResult(taskId, 'completed', text('answered'))
      expect(await store.getTask(taskId)).toMatchObject({ status: 'completed' })
    })
  })

  describe(`${name}: getTaskResult`, () => {
    it('4.1 getTaskResult: unknown id rejects', async () => {
      await expect(open().getTaskResult('none')).rejects.toThrow('Task with ID none not found')
    })

    it('4.1 getTaskResult: none stored rejects', async () => {
      const store = open()
      const { taskId } = await create(store)
      await expect(store.getTaskResult(taskId)).rejects.toThrow(`Task ${taskId} has no result stored`)
    })

    it('4.1 getTaskResult: returns what was stored, as often as it is asked', async () => {
      const store = open()
      const { taskId } = await create(store)
      await store.storeTaskResult(taskId, 'completed', text('packed'))
      expect(await store.getTaskResult(taskId)).toEqual(text('packed'))
      expect(await store.getTaskResult(taskId)).toEqual(text('packed'))
    })
  })
}
