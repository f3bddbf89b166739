import { describe, expect, it } from 'vitest'
import type { TaskDraft } from '../../src/types.js'
import { completed, draft, fenceOf, type Open, page, question, start, text } from './storage-harness.js'

/** What is refused, and what makes room for what. */
export function limitsContract(name: string, open: Open): void {
  describe(`${name}: limits and keys`, () => {
    it('an owner has no more unfinished tasks than the limit; other owners have their own', async () => {
      const storage = await open({ limits: { unfinished: 2 } })
      const { fence } = await start(storage)
      await start(storage)
      await expect(start(storage)).rejects.toMatchObject({ code: 'limit_reached', data: { limit: 2 } })
      expect(await start(storage, { owner: 'bob' })).toMatchObject({ task: { seq: 1 } })
      await storage.tasks.finish(fence, completed())
      expect(await start(storage)).toMatchObject({ task: { seq: 3 } })
    })

    it('beyond the kept tasks the oldest final ones go, fetched ones first, with all they had', async () => {
      const storage = await open({ limits: { kept: 4 } })
      const all = [await start(storage), await start(storage), await start(storage), await start(storage)]
      const [running, unread, read] = all.map(({ task }) => task.taskId)
      for (const { fence } of all.slice(1)) await storage.tasks.finish(fence, completed())
      await storage.tasks.markFetched([read ?? ''])
      const told = storage.published.length
      const fifth = await start(storage)
      expect(storage.published.slice(told)).toEqual([read, fifth.task.taskId])
      await start(storage)
      expect(await storage.tasks.get(unread ?? '')).toBeUndefined()
      expect(await storage.tasks.get(running ?? '')).toMatchObject({ status: 'working' })
      expect((await storage.tasks.list('alice', { order: 'oldest', limit: 9 })).tasks.map(({ seq }) => seq)).toEqual([
        1, 4, 5, 6
      ])
    })

    it('fetched tasks go a hundredth of the limit at once, unfetched ones only as many as it takes', async () => {
      const storage = await open({ limits: { kept: 300 } })
      const ids: string[] = []
      for (let n = 0; n < 300; n += 1) {
        const { task, fence } = await start(storage)
        await storage.tasks.finish(fence, completed())
        ids.push(task.taskId)
      }
      const there = async (): Promise<string[]> => {
        const found = await Promise.all(ids.slice(0, 8).map((id) => storage.tasks.get(id)))
        return found.filter((task) => task !== undefined).map(({ seq }) => String(seq))
      }
      await storage.tasks.markFetched([ids[2] ?? '', ids[3] ?? ''])
      await start(storage)
      expect(await there()).toEqual(['1', '2', '5', '6', '7', '8'])
      await start(storage)
      await start(storage)
      expect(await there()).toEqual(['2', '5', '6', '7', '8'])
    })

    it('room is found behind more than a page of unfinished tasks', async () => {
      const storage = await open({ limits: { kept: 131, unfinished: 500 } })
      for (let n = 0; n < 130; n += 1) await start(storage)
      const { task, fence } = await start(storage)
      await storage.tasks.finish(fence, completed())
      await start(storage)
      expect(await storage.tasks.get(task.taskId)).toBeUndefined()
      await expect(start(storage)).rejects.toMatchObject({ code: 'limit_reached', data: { limit: 131 } })
    })

    it('a smaller limit after a restart makes room in one go', async () => {
      const first = await open()
      for (let n = 0; n < 120; n += 1) await first.tasks.finish((await start(first)).fence, completed())
      const second = await open({ name: first.name, limits: { kept: 2 } })
      await start(second)
      const { tasks } = await second.tasks.list('alice', { order: 'oldest', limit: 9 })
      expect(tasks.map(({ seq }) => seq)).toEqual([120, 121])
    })

    it('a task sends no more messages than the limit, and goes on', async () => {
      const storage = await open({ limits: { messages: 2 } })
      const { task, fence } = await start(storage)
      await storage.messages.notify(fence, 'notifications/message', {})
      await storage.messages.ask(fence, question())
      const refusal = { code: 'limit_reached', data: { limit: 2 } }
      await expect(storage.messages.notify(fence, 'notifications/message', {})).rejects.toMatchObject(refusal)
      await expect(storage.messages.ask(fence, question('b'))).rejects.toMatchObject(refusal)
      expect(await storage.messages.ask(fence, question())).toMatchObject({ n: 2 })
      expect(await storage.tasks.get(task.taskId)).toMatchObject({ messageCount: 2, openRequests: 1 })
      expect(await storage.tasks.finish(fence, completed())).toMatchObject({ status: 'completed' })
    })

    it('R11 what each run of a handler sends again counts once, also where it differs', async () => {
      const storage = await open({ limits: { messages: 3 } })
      let { task, fence } = await start(storage)
      const send = (n: number, params = {}): Promise<boolean> =>
        storage.messages.notify(fence, 'notifications/message', params, `notify#${n}`)
      const sent = async (): Promise<unknown[]> =>
        (await storage.tasks.rows(task.taskId))?.messages.map(({ params }) => params) ?? []
      await storage.messages.ask(fence, question())
      await send(1)
      await send(2, { run: 1 })
      for (let run = 2; run <= 5; run += 1) {
        task = (await storage.roster.adopt(fence, 'worker-1'))?.task ?? task
        fence = fenceOf(task)
        await storage.messages.ask(fence, question())
        const { revision } = task
        expect(await send(1)).toBe(true)
        expect(await storage.tasks.get(task.taskId)).toMatchObject({ revision })
        expect(await send(2, { run })).toBe(true)
        expect(await sent()).toEqual([question().params, {}, { run }])
      }
      const refusal = { code: 'limit_reached', data: { limit: 3 } }
      await expect(send(3)).rejects.toMatchObject(refusal)
      expect(await storage.tasks.get(task.taskId)).toMatchObject({ messageCount: 7 })
      const { messages } = (await storage.messages.claim(task.taskId, 'alice', page, 3)) ?? {}
      expect(messages).toMatchObject([{ kind: 'request' }, { n: 7, params: { run: 5 } }])
    })

    const large = text('x'.repeat(2_000))
    const broken = { when: new Date(0) } as unknown as typeof large
    it.each([
      ['too_large', large, { limit: 1_000 }],
      ['not_json', broken, { path: expect.stringMatching(/\.when$/) }]
    ])('what is %s is refused at once, everywhere, and changes nothing', async (code, payload, data) => {
      const storage = await open({ limits: { bytes: 1_000 } })
      const { task, fence } = await start(storage)
      const { requestId = '' } = (await storage.messages.ask(fence, question())) ?? {}
      const before = await storage.tasks.get(task.taskId)
      const refusal = { code, data }
      await expect(storage.tasks.create(draft({ arguments: payload }))).rejects.toMatchObject(refusal)
      await expect(
        storage.tasks.finish(fence, { status: 'completed', outcome: { result: payload } })
      ).rejects.toMatchObject(refusal)
      await expect(storage.messages.ask(fence, question('b', { params: payload }))).rejects.toMatchObject(refusal)
      await expect(storage.messages.notify(fence, 'notifications/message', payload)).rejects.toMatchObject(refusal)
      await expect(storage.messages.answer(requestId, 'alice', { result: payload })).rejects.toMatchObject(refusal)
      await expect(storage.steps.record(fence, 'step', payload)).rejects.toMatchObject(refusal)
      expect(await storage.tasks.get(task.taskId)).toEqual(before)
    })

    it("what JSON drops is dropped, and the record does not hold on to the caller's objects", async () => {
      const storage = await open()
      const { task, fence } = await start(storage)
      const params = { message: 'a', none: undefined } as unknown as { message: string }
      const request = await storage.messages.ask(fence, question('k', { params }))
      params.message = 'changed'
      expect(request?.params).toStrictEqual({ message: 'a' })
      const snapshot = await storage.messages.claim(task.taskId, 'alice', page, 0)
      expect(snapshot?.messages[0]?.params).toStrictEqual({ message: 'a' })
    })

    it('the same key, tool and arguments find the same task, in whatever status', async () => {
      const storage = await open({ limits: { unfinished: 1 } })
      const first = draft({ idempotencyKey: 'k', arguments: { a: 1, b: { c: [2] } } })
      const { task } = await storage.tasks.create(first)
      const again = (over: Partial<TaskDraft> = {}) =>
        storage.tasks.create({ ...first, taskId: crypto.randomUUID(), ...over })
      expect(await again({ arguments: { b: { c: [2] }, a: 1 } })).toMatchObject({ task, created: false })
      const ended = await storage.tasks.finish(fenceOf(task), completed())
      expect(await again()).toMatchObject({ task: ended, created: false })
      for (const other of [{ tool: 'unpack' }, { arguments: { a: 1 } }]) {
        await expect(again(other)).rejects.toMatchObject({ code: 'key_conflict' })
      }
      expect(await again({ owner: 'bob', tool: 'unpack' })).toMatchObject({ created: true })
    })

    it('the key of a deleted task says that the call may have run', async () => {
      const storage = await open()
      const first = draft({ idempotencyKey: 'k' })
      await storage.tasks.create(first)
      await storage.tasks.remove('alice', first.taskId)
      await expect(storage.tasks.create(first)).rejects.toMatchObject({ code: 'may_have_run' })
      expect(await storage.tasks.create({ ...first, idempotencyKey: 'other' })).toMatchObject({ created: true })
    })

    it('R19 of an owner who is forgotten, no key is left', async () => {
      const storage = await open({ limits: { kept: 1 } })
      const keys = ['evicted', 'kept']
      for (const idempotencyKey of keys) {
        const { fence } = await start(storage, { idempotencyKey })
        await storage.tasks.finish(fence, completed())
      }
      const other = await start(storage, { owner: 'bob', idempotencyKey: 'other' })
      await storage.tasks.remove('bob', other.task.taskId)
      await storage.tasks.remove('alice')
      for (const idempotencyKey of keys) {
        const { task } = await start(storage, { idempotencyKey })
        await storage.tasks.finish(fenceOf(task), completed())
      }
      await expect(start(storage, { owner: 'bob', idempotencyKey: 'other' })).rejects.toMatchObject({
        code: 'may_have_run'
      })
    })
  })
}
