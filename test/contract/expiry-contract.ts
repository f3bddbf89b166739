import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { completed, draft, fenceOf, type Open, outcomeOf, page, question, start } from './storage-harness.js'

const day = 24 * 60 * 60 * 1_000
const pass = (ms: number): void => void vi.setSystemTime(Date.now() + ms)

/** Retention by stored times, whoever looks; the clock is false, no timer runs. */
export function expiryContract(name: string, open: Open): void {
  describe(`${name}: expiry`, () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: 1_700_000_000_000 }))
    afterEach(() => void vi.useRealTimers())

    it.each([1, 60_000, 30 * day])(
      'ST-17 ST-19 a final task is there for its ttl of %d ms after its end, no longer',
      async (ttl) => {
        const points: string[] = []
        const storage = await open({ checkpoint: (point) => void points.push(point) })
        const { task, fence } = await start(storage, { ttl })
        pass(ttl - 1)
        expect(await storage.tasks.finish(fence, completed())).toMatchObject({ expiresAt: Date.now() + ttl })
        pass(ttl - 1)
        expect(await storage.tasks.get(task.taskId)).toMatchObject({ status: 'completed' })
        expect(await storage.messages.claim(task.taskId, 'alice', page, 0)).toHaveProperty('outcome')
        pass(1)
        expect(await storage.tasks.get(task.taskId)).toBeUndefined()
        expect(await storage.messages.claim(task.taskId, 'alice', page, 0)).toBeUndefined()
        expect(await storage.tasks.list('alice', { order: 'oldest', limit: 9 })).toEqual({ tasks: [] })
        expect(points).not.toContain('before:expire')
      }
    )

    it('ST-16 ST-18 a task without ttl never expires, unfinished or final', async () => {
      const storage = await open()
      const { task, fence } = await start(storage, { ttl: null })
      expect(task).toMatchObject({ ttl: null })
      expect(task).not.toHaveProperty('expiresAt')
      pass(10_000 * day)
      expect(await storage.tasks.get(task.taskId)).toEqual(task)
      expect(await storage.tasks.finish(fence, completed())).not.toHaveProperty('expiresAt')
      pass(10_000 * day)
      expect(await storage.retention.sweep()).toBeUndefined()
      expect(await storage.tasks.get(task.taskId)).toMatchObject({ status: 'completed' })
    })

    const lookers: Record<
      string,
      (storage: Awaited<ReturnType<Open>>, taskId: string, requestId: string) => Promise<unknown>
    > = {
      get: (storage, taskId) => storage.tasks.get(taskId),
      list: (storage) => storage.tasks.list('alice', { order: 'newest', status: ['failed'], limit: 9 }),
      claim: (storage, taskId) => storage.messages.claim(taskId, 'alice', page, 0),
      sweep: (storage) => storage.retention.sweep(),
      answer: (storage, _, requestId) => storage.messages.answer(requestId, 'alice', { result: {} }),
      take: (storage, _, requestId) => storage.messages.take(requestId, 'alice', page),
      finish: (storage, taskId) => storage.tasks.finish({ taskId, executor: 'worker-1', attempt: 1 }, completed()),
      report: (storage, taskId) =>
        storage.tasks.report({ taskId, executor: 'worker-1', attempt: 1 }, { statusMessage: 'x' }),
      adopt: (storage, taskId) => storage.roster.adopt({ taskId, executor: 'worker-1', attempt: 1 }, 'worker-2')
    }

    it.each(Object.keys(lookers))(
      'F3 N8 a task that overran its ttl is failed by whoever notices first: %s',
      async (looker) => {
        const storage = await open()
        const { task, fence } = await start(storage, { ttl: 5_000 })
        const request = await storage.messages.ask(fence, question())
        const requestId = request?.requestId ?? ''
        pass(5_000)
        const told = storage.published.length
        await lookers[looker]?.(storage, task.taskId, requestId)
        const statusMessage = 'Expired: the task ran longer than its ttl of 5000 ms'
        const failed = { status: 'failed', statusMessage, executor: '', openRequests: 0, expiresAt: Date.now() + 5_000 }
        expect(storage.events).toMatchObject([{ type: 'expired', task: failed }])
        expect(storage.published.slice(told)).toEqual([task.taskId])
        expect(await storage.tasks.get(task.taskId)).toMatchObject(failed)
        const result = { isError: true, content: [{ type: 'text', text: statusMessage }] }
        expect(await outcomeOf(storage, task)).toEqual({ result })
        expect(await storage.messages.request(task.taskId, requestId)).toMatchObject({ state: 'withdrawn' })
        pass(5_000)
        expect(await storage.tasks.get(task.taskId)).toBeUndefined()
      }
    )

    it('F3 a question is not handed out when the task overran between the look and the claim', async () => {
      const checkpoint = (point: string): void => (point === 'before:claim' ? pass(5_000) : undefined)
      const storage = await open({ checkpoint })
      const { task, fence } = await start(storage, { ttl: 5_000 })
      await storage.messages.ask(fence, question())
      const snapshot = await storage.messages.claim(task.taskId, 'alice', page, 0)
      expect(snapshot).toMatchObject({
        task: { status: 'failed' },
        outcome: { result: { isError: true } },
        messages: []
      })
    })

    it('a question knows when it was enqueued and when it was last claimed', async () => {
      const storage = await open()
      const { task, fence } = await start(storage)
      const request = await storage.messages.ask(fence, question())
      const enqueuedAt = Date.now()
      for (const connection of ['first', 'second']) {
        pass(10)
        await storage.messages.take(request?.requestId ?? '', 'alice', { ...page, connection })
      }
      const row = await storage.messages.request(task.taskId, request?.requestId ?? '')
      expect(row).toMatchObject({ enqueuedAt, deliveredAt: enqueuedAt + 20, claimedBy: 'second' })
    })

    it('the time of the first fetch stays', async () => {
      const storage = await open()
      const { task, fence } = await start(storage)
      await storage.tasks.finish(fence, completed())
      const first = Date.now()
      await storage.tasks.markFetched([task.taskId])
      pass(1_000)
      await storage.tasks.markFetched([task.taskId])
      expect(await storage.tasks.get(task.taskId)).toMatchObject({ fetchedAt: first })
    })

    it('the sweep deletes and fails what is due, page by page, and says when to come again', async () => {
      const storage = await open({ limits: { unfinished: 500 } })
      for (let n = 0; n < 45; n += 1) {
        const { fence } = await start(storage, { ttl: 1_000 })
        if (n % 2 === 0) await storage.tasks.finish(fence, completed())
      }
      const { task: later } = await start(storage, { ttl: 9_000 })
      expect(await storage.retention.sweep()).toBe(Date.now() + 1_000)
      pass(1_000)
      expect(await storage.retention.sweep()).toBe(Date.now() + 1_000)
      const told = () => ['expired', 'removed'].map((kind) => storage.events.filter(({ type }) => type === kind).length)
      expect(told()).toEqual([22, 23])
      pass(1_000)
      expect(await storage.retention.sweep()).toBe(later.expiresAt)
      expect(told()).toEqual([22, 45])
      const { tasks } = await storage.tasks.list('alice', { order: 'oldest', limit: 99 })
      expect(tasks).toEqual([later])
    })

    it('a task that is past its time holds no place against a new one, swept or not', async () => {
      const storage = await open({ limits: { unfinished: 1, kept: 1 } })
      const { task } = await start(storage, { ttl: 1_000 })
      pass(1_000)
      await expect(start(storage)).resolves.toMatchObject({ task: { seq: 2, status: 'working' } })
      const { taskId } = task
      expect(storage.events).toMatchObject(['expired', 'removed'].map((type) => ({ type, task: { taskId } })))
    })

    it('the counters follow every end and every deletion', async () => {
      const storage = await open({ limits: { unfinished: 2, kept: 3 } })
      await start(storage, { ttl: 1_000 })
      const { fence } = await start(storage, { ttl: 1_000 })
      await expect(start(storage)).rejects.toMatchObject({ code: 'limit_reached' })
      await storage.tasks.finish(fence, completed())
      pass(1_000)
      await storage.retention.sweep()
      pass(1_000)
      await storage.retention.sweep()
      await start(storage)
      const { task } = await start(storage)
      await storage.tasks.remove('alice', task.taskId)
      expect(await start(storage)).toMatchObject({ task: { status: 'working' } })
      await expect(start(storage)).rejects.toMatchObject({ code: 'limit_reached', data: { limit: 2 } })
    })

    it('an idempotency key outlives its task by a day and says that the call may have run', async () => {
      const storage = await open()
      const first = draft({ idempotencyKey: 'key-1', ttl: 1_000 })
      const { task } = await storage.tasks.create(first)
      await storage.tasks.finish(fenceOf(task), completed())
      pass(1_000)
      const again = () => storage.tasks.create({ ...first, taskId: crypto.randomUUID() })
      await expect(again()).rejects.toMatchObject({ code: 'may_have_run' })
      expect(await storage.retention.sweep()).toBe(Date.now() + day)
      await expect(again()).rejects.toMatchObject({ code: 'may_have_run' })
      pass(day - 1)
      await expect(again()).rejects.toMatchObject({ code: 'may_have_run' })
      pass(1)
      expect(await again()).toMatchObject({ created: true })
    })

    it('R19 of the keys of tasks that are gone, an owner has the newest: five for each task that may be kept', async () => {
      const storage = await open({ limits: { kept: 2 } })
      const keys = Array.from({ length: 16 }, (_, n) => `key-${String(n).padStart(2, '0')}`)
      const use = async (idempotencyKey: string, owner = 'alice'): Promise<boolean> => {
        const created = await storage.tasks.create(draft({ idempotencyKey, owner })).catch((error: unknown) => {
          expect(error).toMatchObject({ code: 'may_have_run' })
        })
        pass(1)
        if (created) await storage.tasks.finish(fenceOf(created.task), completed())
        return created !== undefined
      }
      expect(await use('other', 'bob')).toBe(true)
      await use('second', 'bob')
      await use('third', 'bob')
      for (const key of keys) expect(await use(key)).toBe(true)
      // The last two are keys of tasks, and the oldest four are forgotten.
      for (const key of keys.slice(4, 14)) expect(await use(key)).toBe(false)
      expect(await use('other', 'bob')).toBe(false)
      expect(await use(keys[3] ?? '')).toBe(true)
      // Keys that expired count no more: first the tasks go, then their keys.
      for (const _ of ['tasks', 'keys']) {
        pass(day)
        await storage.retention.sweep()
      }
      for (const key of keys) expect(await use(key)).toBe(true)
      for (const key of keys.slice(4, 14)) expect(await use(key)).toBe(false)
    })

    it('a call repeated after its task overran finds it failed', async () => {
      const storage = await open()
      const first = draft({ idempotencyKey: 'key-1', ttl: 1_000 })
      await storage.tasks.create(first)
      pass(1_000)
      const again = await storage.tasks.create({ ...first, taskId: 'second' })
      expect(again).toMatchObject({ created: false, task: { taskId: first.taskId, status: 'failed' } })
    })
  })
}
