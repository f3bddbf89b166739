import { describe, expect, it } from 'vitest'
import type { ListQuery, TaskPage, TaskStore } from '../../src/types.js'
import { completed, draft, fenceOf, type Open, question, start } from './storage-harness.js'

async function pages(tasks: TaskStore, query: ListQuery): Promise<number[][]> {
  const found: number[][] = []
  for (let after: number | undefined = undefined; ;) {
    const page: TaskPage = await tasks.list('alice', { ...query, ...(after === undefined ? {} : { after }) })
    found.push(page.tasks.map((task) => task.seq))
    if (page.next === undefined) return found
    after = page.next
  }
}

/** Lists of one owner, and what deletion leaves. */
export function taskListContract(name: string, open: Open): void {
  describe(`${name}: lists`, () => {
    it('ST-10 gives all tasks of the owner, in order of creation, when they fit into a page', async () => {
      const storage = await open()
      for (let n = 0; n < 3; n += 1) await start(storage)
      await start(storage, { owner: 'bob' })
      const { tasks, next } = await storage.tasks.list('alice', { order: 'oldest', limit: 3 })
      expect(tasks.map((task) => task.seq)).toEqual([1, 2, 3])
      expect(next).toBeUndefined()
    })

    it('ST-11 pages 2, 2 and 1, in either order, and the last page has no next', async () => {
      const storage = await open()
      for (let n = 0; n < 5; n += 1) await start(storage)
      expect(await pages(storage.tasks, { order: 'oldest', limit: 2 })).toEqual([[1, 2], [3, 4], [5]])
      expect(await pages(storage.tasks, { order: 'newest', limit: 2 })).toEqual([[5, 4], [3, 2], [1]])
    })

    it('ST-11 a full last page has no next', async () => {
      const storage = await open()
      for (let n = 0; n < 4; n += 1) await start(storage)
      expect(await pages(storage.tasks, { order: 'oldest', limit: 2 })).toEqual([
        [1, 2],
        [3, 4]
      ])
    })

    it('ST-12 N20 a place goes on from where it was, whether its row is there or ever was', async () => {
      const storage = await open()
      const first = await start(storage)
      for (let n = 0; n < 3; n += 1) await start(storage)
      await storage.tasks.remove('alice', first.task.taskId)
      const list = (after: number) => storage.tasks.list('alice', { order: 'oldest', limit: 2, after })
      expect((await list(1)).tasks.map((task) => task.seq)).toEqual([2, 3])
      expect((await list(-5)).tasks.map((task) => task.seq)).toEqual([2, 3])
      expect(await list(99)).toEqual({ tasks: [] })
    })

    it('VI-09 foreign tasks neither show nor make a next page, however many', async () => {
      const storage = await open({ limits: { unfinished: 500 } })
      for (let n = 0; n < 120; n += 1) await start(storage, { owner: 'bob' })
      for (const order of ['oldest', 'newest'] as const) {
        expect(await storage.tasks.list('alice', { order, limit: 10 })).toEqual({ tasks: [] })
      }
    })

    it('finds the tasks of a status among more than one database page of others', async () => {
      const storage = await open({ limits: { unfinished: 500 } })
      for (let n = 1; n <= 230; n += 1) {
        const { fence } = await start(storage)
        if (n % 110 === 0) await storage.messages.ask(fence, question())
      }
      const query = { status: ['input_required'], limit: 1 } as const
      expect(await pages(storage.tasks, { ...query, order: 'oldest' })).toEqual([[110], [220]])
      expect(await pages(storage.tasks, { ...query, order: 'newest' })).toEqual([[220], [110]])
    })

    it('ST-13 a deleted task is gone with all that belonged to it, once', async () => {
      const storage = await open()
      const { task, fence } = await start(storage)
      const request = await storage.messages.ask(fence, question())
      await storage.messages.notify(fence, 'notifications/message', {})
      await storage.steps.record(fence, '', 1)
      const told = storage.published.length
      expect(await storage.tasks.remove('alice', task.taskId)).toEqual([task.taskId])
      expect(storage.published.slice(told)).toEqual([task.taskId])
      expect(await storage.tasks.remove('alice', task.taskId)).toEqual([])
      expect(await storage.tasks.get(task.taskId)).toBeUndefined()
      expect(await storage.messages.request(task.taskId, request?.requestId ?? '')).toBeUndefined()
      expect(await storage.messages.open({})).toEqual([])
      expect(await storage.steps.find(task.taskId, '')).toBeUndefined()
      expect(await storage.tasks.finish(fence, completed())).toBeUndefined()
      expect(await storage.roster.executors()).toEqual([])
    })

    it('F6 nobody deletes the task of another owner', async () => {
      const storage = await open()
      const { task } = await start(storage)
      expect(await storage.tasks.remove('bob', task.taskId)).toEqual([])
      expect(await storage.tasks.get(task.taskId)).toEqual(task)
    })

    it('MQ-12 MQ-13 deleting one task leaves the others, deleting an owner leaves other owners', async () => {
      const storage = await open({ limits: { unfinished: 500 } })
      const { task: kept, fence } = await start(storage, { owner: 'bob' })
      const request = await storage.messages.ask(fence, question())
      const ids: string[] = []
      for (let n = 0; n < 105; n += 1) {
        const one = await start(storage)
        await storage.messages.ask(one.fence, question())
        ids.push(one.task.taskId)
      }
      expect(await storage.tasks.remove('alice', ids[0])).toEqual([ids[0]])
      expect(await storage.messages.open({ owner: 'alice' })).toHaveLength(104)
      expect((await storage.tasks.remove('alice')).sort()).toEqual(ids.slice(1).sort())
      expect(await storage.tasks.list('alice', { order: 'oldest', limit: 10 })).toEqual({ tasks: [] })
      expect(await storage.messages.open({})).toEqual([request])
      expect(await storage.tasks.get(kept.taskId)).toMatchObject({ status: 'input_required' })
      expect(await storage.tasks.remove('alice')).toEqual([])
    })

    it('an owner that was forgotten starts anew', async () => {
      const storage = await open({ limits: { unfinished: 1 } })
      await start(storage)
      await storage.tasks.remove('alice')
      const { task } = await storage.tasks.create(draft())
      expect(task.seq).toBe(1)
      expect(await storage.tasks.finish(fenceOf(task), completed())).toMatchObject({ status: 'completed' })
    })
  })
}
