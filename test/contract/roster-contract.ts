import { describe, expect, it } from 'vitest'
import { completed, fenceOf, type Open, page, question, start } from './storage-harness.js'

/** Who runs what, and what a handler that runs again finds. */
export function rosterContract(name: string, open: Open): void {
  describe(`${name}: executors`, () => {
    it('each name on an unfinished task is listed once, and none of a final one', async () => {
      const storage = await open()
      for (const executor of ['worker-2', 'worker-1', 'worker-2', 'worker-3']) {
        const { fence } = await start(storage, { executor })
        if (executor === 'worker-3') await storage.tasks.finish(fence, completed())
      }
      expect(await storage.roster.executors()).toEqual(['worker-1', 'worker-2'])
      expect(await storage.roster.unfinished('worker-2')).toHaveLength(2)
      expect(await storage.roster.unfinished('worker-3')).toEqual([])
    })

    it('F18 a task that is adopted is in its next attempt, and its old handler is fenced off', async () => {
      const storage = await open()
      const { task, fence } = await start(storage)
      await storage.messages.ask(fence, question())
      const told = storage.published.length
      const adopted = await storage.roster.adopt(fence, 'worker-2')
      expect(adopted).toMatchObject({
        task: { executor: 'worker-2', attempt: 2, status: 'input_required', openRequests: 1 },
        call: { arguments: { shelf: 3 } }
      })
      expect(storage.published.slice(told)).toEqual([task.taskId])
      expect(await storage.tasks.report(fence, { statusMessage: 'still here' })).toBeUndefined()
      expect(await storage.tasks.finish(fence, completed())).toBeUndefined()
      expect(await storage.roster.adopt(fence, 'worker-3')).toBeUndefined()
      expect(adopted && (await storage.tasks.finish(fenceOf(adopted.task), completed()))).toMatchObject({
        status: 'completed'
      })
      expect(await storage.roster.adopt({ ...fence, attempt: 2, executor: 'worker-2' }, 'worker-3')).toBeUndefined()
    })

    it('an executor that gives up leaves its tasks to anybody, more than one page of them too', async () => {
      const storage = await open({ limits: { unfinished: 500 } })
      for (let n = 0; n < 205; n += 1) await start(storage)
      const other = await start(storage, { executor: 'worker-2' })
      const told = storage.published.length
      await storage.roster.abandon('worker-1')
      expect(await storage.roster.executors()).toEqual(['', 'worker-2'])
      expect(storage.published.slice(told)).toHaveLength(205)
      const orphans = await storage.roster.unfinished('')
      expect(orphans).toHaveLength(205)
      const [orphan] = orphans
      expect(orphan && (await storage.roster.adopt(fenceOf(orphan), 'worker-2'))).toMatchObject({
        task: { attempt: 2 }
      })
      expect(await storage.tasks.get(other.task.taskId)).toMatchObject({ executor: 'worker-2', revision: 1 })
      await storage.roster.abandon('')
      expect(await storage.roster.unfinished('')).toHaveLength(204)
    })

    it('a run that is over is kept with its worker and its times, however it ended', async () => {
      const storage = await open()
      const { task, fence } = await start(storage)
      expect(task).not.toHaveProperty('runs')
      await storage.messages.ask(fence, question())
      const asked = await storage.tasks.get(task.taskId)
      const second = await storage.roster.adopt(fence, 'worker-2')
      const died = {
        attempt: 1,
        executor: 'worker-1',
        startedAt: task.createdAt,
        endedAt: asked?.lastUpdatedAt
      }
      expect(second?.task.runs).toEqual([died])
      expect(second?.task.startedAt).toBe(second?.task.lastUpdatedAt)
      await storage.roster.abandon('worker-2')
      const left = await storage.tasks.get(task.taskId)
      const gaveUp = {
        attempt: 2,
        executor: 'worker-2',
        startedAt: second?.task.startedAt,
        endedAt: left?.lastUpdatedAt,
        gaveUp: true
      }
      expect(left?.runs).toEqual([died, gaveUp])
      const third = left && (await storage.roster.adopt(fenceOf(left), 'worker-3'))
      // Nobody ran it when it was adopted.
      expect(third?.task.runs).toEqual([died, gaveUp])
      const ended = third && (await storage.tasks.finish(fenceOf(third.task), completed()))
      expect(ended?.runs).toEqual([
        died,
        gaveUp,
        { attempt: 3, executor: 'worker-3', startedAt: third?.task.startedAt, endedAt: ended?.lastUpdatedAt }
      ])
    })

    it('of many runs the last 20 are kept', async () => {
      const storage = await open()
      let { fence } = await start(storage)
      for (let run = 2; run <= 24; run += 1) {
        const adopted = await storage.roster.adopt(fence, `worker-${run}`)
        if (adopted !== undefined) fence = fenceOf(adopted.task)
      }
      const ended = await storage.tasks.finish(fence, completed())
      expect(ended?.runs?.map(({ attempt }) => attempt)).toEqual(Array.from({ length: 20 }, (_, n) => n + 5))
    })

    it('each connection that holds a claim is listed once', async () => {
      const storage = await open()
      const { task, fence } = await start(storage)
      const asked = await storage.messages.ask(fence, question('a'))
      await storage.messages.ask(fence, question('b'))
      expect(await storage.roster.claimants()).toEqual([])
      await storage.messages.claim(task.taskId, 'alice', page, 0)
      expect(await storage.roster.claimants()).toEqual(['connection-1'])
      await storage.messages.take(asked?.requestId ?? '', 'alice', { connection: 'a-page', can: ['elicitation.form'] })
      expect(await storage.roster.claimants()).toEqual(['a-page', 'connection-1'])
    })
  })

  describe(`${name}: steps`, () => {
    it.each([[null], [0], [''], [{ a: [1, { b: false }] }]])(
      'a value (%j) is found as it was recorded',
      async (value) => {
        const storage = await open()
        const { task, fence } = await start(storage)
        const told = storage.published.length
        expect(await storage.steps.find(task.taskId, 'weigh')).toBeUndefined()
        expect(await storage.steps.record(fence, 'weigh', value)).toBe(true)
        expect(await storage.steps.find(task.taskId, 'weigh')).toEqual({
          taskId: task.taskId,
          key: 'weigh',
          value,
          at: expect.any(Number)
        })
        expect(storage.published).toHaveLength(told)
        expect(await storage.tasks.get(task.taskId)).toEqual({ ...task, provenAttempt: 1 })
      }
    )

    it('a step that returned nothing is known as such', async () => {
      const storage = await open()
      const { task, fence } = await start(storage)
      await storage.steps.record(fence, 'weigh', undefined)
      expect(await storage.steps.find(task.taskId, 'weigh')).toEqual({
        taskId: task.taskId,
        key: 'weigh',
        at: expect.any(Number)
      })
    })

    it('are read with their task, its call and its messages, all of one moment', async () => {
      const storage = await open()
      const { task, fence } = await start(storage)
      const other = await start(storage)
      await storage.messages.notify(fence, 'notifications/message', { data: 1 })
      await storage.messages.ask(fence, question())
      for (const key of ['weigh', 'pack']) await storage.steps.record(fence, key, 1)
      await storage.steps.record(other.fence, 'weigh', 2)
      const rows = await storage.tasks.rows(task.taskId)
      expect(rows).toMatchObject({
        task: { taskId: task.taskId, status: 'input_required', messageCount: 2 },
        messages: [
          { kind: 'notification', n: 1 },
          { kind: 'request', n: 2, state: 'pending' }
        ]
      })
      expect(rows?.call).toEqual({ arguments: { shelf: 3 } })
      expect(rows?.steps.map(({ key }) => key)).toEqual(['pack', 'weigh'])
      expect(rows?.messages[1]).not.toHaveProperty('openTask')
      await storage.tasks.remove('alice', task.taskId)
      expect(await storage.tasks.rows(task.taskId)).toBeUndefined()
    })

    it('a step that is recorded again keeps the time of the first when told', async () => {
      const storage = await open()
      const { task, fence } = await start(storage)
      await storage.steps.record(fence, 'sleep#1', 9_000, 1_234)
      expect(await storage.steps.find(task.taskId, 'sleep#1')).toMatchObject({ value: 9_000, at: 1_234 })
    })

    it('steps survive the attempt that recorded them, and belong to their task alone', async () => {
      const storage = await open()
      const { task, fence } = await start(storage)
      const other = await start(storage)
      await storage.steps.record(fence, 'weigh', 12)
      const adopted = await storage.roster.adopt(fence, 'worker-2')
      expect(adopted?.task.attempt).toBe(2)
      expect(await storage.steps.find(task.taskId, 'weigh')).toMatchObject({ value: 12 })
      expect(await storage.steps.find(other.task.taskId, 'weigh')).toBeUndefined()
      expect(await storage.steps.record(fence, 'weigh', 13)).toBe(false)
    })
  })
}
