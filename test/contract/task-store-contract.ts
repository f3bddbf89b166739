import { describe, expect, it } from 'vitest'
import type { FinalStatus } from '../../src/types.js'
import { completed, draft, fenceOf, type Open, outcomeOf, page, question, start } from './storage-harness.js'

const finals: FinalStatus[] = ['completed', 'failed', 'cancelled']

/** One task from its creation to its end; lists, expiry and limits have suites of their own. */
export function taskStoreContract(name: string, open: Open): void {
  describe(`${name}: a task`, () => {
    it('ST-01 ST-02 is created working, under the given id, with the ttl that was asked for', async () => {
      const { tasks, published } = await open()
      const { task, created } = await tasks.create(draft({ taskId: 'mine', ttl: 5_000 }))
      expect(created).toBe(true)
      expect(task).toMatchObject({ taskId: 'mine', status: 'working', ttl: 5_000, seq: 1, revision: 1, attempt: 1 })
      expect(task.expiresAt).toBe(task.createdAt + 5_000)
      expect(await tasks.get('mine')).toEqual(task)
      expect(published).toEqual(['mine'])
    })

    it('ST-03 refuses an id that exists, and leaves the first alone', async () => {
      const { tasks } = await open()
      const { task } = await tasks.create(draft({ taskId: 'twice' }))
      await expect(tasks.create(draft({ taskId: 'twice', tool: 'other' }))).rejects.toMatchObject({
        code: 'key_conflict'
      })
      const fresh = draft({ taskId: 'twice', idempotencyKey: 'fresh' })
      await expect(tasks.create(fresh, true)).rejects.toMatchObject({ code: 'key_conflict' })
      expect(await tasks.get('twice')).toEqual(task)
    })

    it('ST-04 ST-06 ST-08 ST-15 is undefined under an unknown id, and no write makes one', async () => {
      const { tasks, messages, published } = await open()
      const fence = { taskId: 'none', executor: 'worker-1', attempt: 1 }
      expect(await tasks.get('none')).toBeUndefined()
      expect(await tasks.report(fence, { statusMessage: 'x' })).toBeUndefined()
      expect(await tasks.finish(fence, completed())).toBeUndefined()
      expect(await tasks.finish({ taskId: 'none' }, completed())).toBeUndefined()
      await tasks.markFetched(['none'])
      expect(await messages.claim('none', 'alice', page, 0)).toBeUndefined()
      expect(await tasks.get('none')).toBeUndefined()
      expect(published).toEqual([])
    })

    it('finds those of many ids that are there and of the owner', async () => {
      const { tasks } = await open()
      const own = await Promise.all([1, 2].map(async () => (await tasks.create(draft())).task.taskId))
      const { task } = await tasks.create(draft({ owner: 'bob' }))
      const ids = [own[1], 'none', task.taskId, own[0]].map(String)
      expect(await tasks.owned('alice', ids)).toEqual([own[1], own[0]])
      expect(await tasks.owned('bob', ids)).toEqual([task.taskId])
      expect(await tasks.owned('alice', [])).toEqual([])
    })

    it('ST-05 keeps what its handler reports, and counts the writes', async () => {
      const storage = await open()
      const { task, fence } = await start(storage)
      const first = await storage.tasks.report(fence, { statusMessage: 'packing' })
      const second = await storage.tasks.report(fence, { progress: { progress: 1, total: 4 } })
      expect(first).toMatchObject({ statusMessage: 'packing', revision: 2 })
      expect(second).toMatchObject({ statusMessage: 'packing', progress: { progress: 1, total: 4 }, revision: 3 })
      expect(await storage.tasks.get(task.taskId)).toEqual(second)
      expect(storage.published).toEqual([task.taskId, task.taskId, task.taskId])
    })

    it('keeps the farthest progress: a run that begins again is behind the one before it', async () => {
      const storage = await open()
      const { fence } = await start(storage)
      await storage.tasks.report(fence, { progress: { progress: 4, total: 9 } })
      const lower = await storage.tasks.report(fence, { progress: { progress: 1, total: 9 }, statusMessage: 'again' })
      expect(lower).toMatchObject({ progress: { progress: 4 }, statusMessage: 'again' })
      const same = await storage.tasks.report(fence, { progress: { progress: 4, total: 9, message: 'four' } })
      expect(same).toMatchObject({ progress: { progress: 4, message: 'four' } })
    })

    it('ST-07 ST-09 has no outcome before its end, and then the one that was stored', async () => {
      const storage = await open()
      const { task, fence } = await start(storage)
      expect(await outcomeOf(storage, task)).toBeUndefined()
      const ended = await storage.tasks.finish(fence, { ...completed('packed'), statusMessage: 'well' })
      expect(ended).toMatchObject({ status: 'completed', statusMessage: 'well', executor: '' })
      expect(await outcomeOf(storage, task)).toEqual(completed('packed').outcome)
    })

    it('ST-07 keeps an error outcome with code, message and data', async () => {
      const storage = await open()
      const { task, fence } = await start(storage)
      const outcome = { error: { code: -32050, message: 'no shelf', data: { shelf: 3 } } }
      await storage.tasks.finish(fence, { status: 'failed', outcome })
      expect(await outcomeOf(storage, task)).toEqual(outcome)
    })

    it.each(finals)('ST-20 ST-21 once %s takes no other end, report, question or step', async (status) => {
      const storage = await open()
      const { task, fence } = await start(storage)
      const ended = await storage.tasks.finish(fence, { ...completed('first'), status })
      const told = storage.published.length
      for (const late of finals) {
        expect(await storage.tasks.finish(fence, { ...completed('late'), status: late })).toBeUndefined()
        expect(
          await storage.tasks.finish({ taskId: task.taskId }, { ...completed('late'), status: late })
        ).toBeUndefined()
      }
      expect(await storage.tasks.report(fence, { statusMessage: 'late' })).toBeUndefined()
      expect(await storage.messages.ask(fence, question())).toBeUndefined()
      expect(await storage.messages.notify(fence, 'notifications/message', {})).toBe(false)
      expect(await storage.steps.record(fence, 'late', 1)).toBe(false)
      expect(await storage.tasks.get(task.taskId)).toEqual(ended)
      expect(await outcomeOf(storage, task)).toEqual(completed('first').outcome)
      expect(storage.published).toHaveLength(told)
    })

    it('ST-23 is cancelled without a fence while it works, and stays so', async () => {
      const storage = await open()
      const { task, fence } = await start(storage)
      const end = { ...completed('Task was cancelled'), status: 'cancelled' as const }
      expect(await storage.tasks.finish({ taskId: task.taskId }, end)).toMatchObject({ status: 'cancelled' })
      expect(await storage.tasks.finish(fence, completed())).toBeUndefined()
      expect(await storage.tasks.get(task.taskId)).toMatchObject({ status: 'cancelled' })
    })

    it.each(['unknown', ...finals] as const)(
      'ST-24 ST-25 ST-26 ST-27 cannot be cancelled when it is %s',
      async (status) => {
        const storage = await open()
        const { task, fence } = await start(storage)
        if (status !== 'unknown') await storage.tasks.finish(fence, { ...completed(), status })
        const taskId = status === 'unknown' ? 'none' : task.taskId
        expect(await storage.tasks.finish({ taskId }, { ...completed(), status: 'cancelled' })).toBeUndefined()
      }
    )

    it('ST-28 is cancelled while it waits for input, and its open requests are withdrawn with it', async () => {
      const storage = await open()
      const { task, fence } = await start(storage)
      const shown = await storage.messages.ask(fence, question('a'))
      await storage.messages.claim(task.taskId, 'alice', page, 0)
      const waiting = await storage.messages.ask(fence, question('b'))
      await storage.tasks.finish({ taskId: task.taskId }, { ...completed(), status: 'cancelled' })
      expect(await storage.tasks.get(task.taskId)).toMatchObject({ status: 'cancelled', openRequests: 0 })
      for (const request of [shown, waiting]) {
        const row = await storage.messages.request(task.taskId, request?.requestId ?? '')
        expect(row).toMatchObject({ state: 'withdrawn' })
        expect(row).not.toHaveProperty('claimedBy')
      }
      expect(await storage.messages.open({})).toEqual([])
      expect(await storage.roster.claimants()).toEqual([])
    })

    it('keeps its progress past the end', async () => {
      const storage = await open()
      const { fence } = await start(storage)
      await storage.tasks.report(fence, { progress: { progress: 4, total: 4, message: 'all' } })
      expect(await storage.tasks.finish(fence, completed())).toMatchObject({ progress: { progress: 4 } })
    })

    it('is not written by an executor or attempt that is not its own', async () => {
      const storage = await open()
      const { task, fence } = await start(storage)
      for (const stale of [
        { ...fence, executor: 'worker-2' },
        { ...fence, attempt: 2 },
        { ...fence, executor: '' }
      ]) {
        expect(await storage.tasks.report(stale, { statusMessage: 'mine' })).toBeUndefined()
        expect(await storage.tasks.finish(stale, completed())).toBeUndefined()
        expect(await storage.messages.ask(stale, question())).toBeUndefined()
        expect(await storage.messages.notify(stale, 'notifications/message', {})).toBe(false)
        expect(await storage.steps.record(stale, 'step', 1)).toBe(false)
      }
      expect(await storage.tasks.get(task.taskId)).toEqual(task)
    })

    it('notes the first fetch of its outcome, without a new revision or a word to anybody', async () => {
      const storage = await open()
      const { task, fence } = await start(storage)
      await storage.tasks.markFetched([task.taskId])
      expect(await storage.tasks.get(task.taskId)).not.toHaveProperty('fetchedAt')
      const ended = await storage.tasks.finish(fence, completed())
      const told = storage.published.length
      await storage.tasks.markFetched([task.taskId])
      const fetched = await storage.tasks.get(task.taskId)
      expect(fetched).toEqual({ ...ended, fetchedAt: expect.any(Number) })
      expect(storage.published).toHaveLength(told)
    })

    it('shows no field that only the database needs', async () => {
      const storage = await open()
      const { task, fence } = await start(storage)
      const known = new Set([...Object.keys(task), 'statusMessage', 'progress', 'fetchedAt', 'provenAttempt', 'runs'])
      const request = await storage.messages.ask(fence, question())
      expect(request).not.toHaveProperty('openTask')
      await storage.tasks.report(fence, { statusMessage: 's', progress: { progress: 1 } })
      const ended = await storage.tasks.finish(fence, completed())
      expect(Object.keys(ended ?? {}).filter((key) => !known.has(key))).toEqual([])
      expect(fenceOf(task)).toEqual(fence)
    })
  })
}
