import { describe, expect, it } from 'vitest'
import type { Claimant } from '../../src/types.js'
import { completed, type Open, page, question, start } from './storage-harness.js'

const call = (key = 'callTab:0') =>
  question(key, { method: 'intab/lent/call', params: { name: 'save', arguments: {} }, needs: ['tab:save'], lent: true })

/** The claimant whose page runs `save`; `once`: it must not run twice. */
const lender = (once: boolean): Claimant => ({
  connection: 'connection-1',
  can: ['tab:save'],
  tab: { name: 'Notes', once }
})

/** Calls of tools that tabs lend: requests to a page, beside the questions to a person. */
export function lentCallContract(name: string, open: Open): void {
  describe(`${name}: calls of lent tools`, () => {
    it('a call leaves its task working, and a question beside it does not', async () => {
      const storage = await open()
      const { task, fence } = await start(storage)
      const statusNow = async () => (await storage.tasks.get(task.taskId))?.status
      const asked = await storage.messages.ask(fence, call())
      expect(await statusNow()).toBe('working')
      const formed = await storage.messages.ask(fence, question())
      expect(await statusNow()).toBe('input_required')
      await storage.messages.answer(asked?.requestId ?? '', 'alice', { result: {} })
      expect(await statusNow()).toBe('input_required')
      await storage.messages.answer(formed?.requestId ?? '', 'alice', { result: {} })
      expect(await storage.tasks.get(task.taskId)).toMatchObject({ status: 'working', openRequests: 0, openCalls: 0 })
    })

    it('a client that lends nothing is handed no call', async () => {
      const storage = await open()
      const { task, fence } = await start(storage)
      await storage.messages.ask(fence, call())
      expect((await storage.messages.claim(task.taskId, 'alice', page, 0))?.messages).toEqual([])
    })

    it('a call names the page that runs it, and keeps the name with the answer', async () => {
      const storage = await open()
      const { task, fence } = await start(storage)
      const { requestId = '' } = (await storage.messages.ask(fence, call())) ?? {}
      const taken = await storage.messages.take(requestId, 'alice', lender(true), true)
      expect(taken).toMatchObject({ state: 'delivered', tab: 'Notes', once: true, lent: true })
      await storage.messages.answer(requestId, 'alice', { result: {} })
      const answered = await storage.messages.request(task.taskId, requestId)
      expect(answered).toMatchObject({ state: 'answered', tab: 'Notes' })
      expect(answered).not.toHaveProperty('once')
    })

    it.each([{ only: true }, { only: false }])(
      'a page that gives a call back (%j) frees it, since it runs it no more',
      async ({ only }) => {
        const storage = await open()
        const { task, fence } = await start(storage)
        const { requestId = '' } = (await storage.messages.ask(fence, call())) ?? {}
        await storage.messages.take(requestId, 'alice', lender(true), true)
        await storage.messages.giveBack('connection-1', only ? { only: [requestId] } : { except: [] })
        const freed = await storage.messages.request(task.taskId, requestId)
        expect(freed).toMatchObject({ state: 'pending' })
        for (const gone of ['tab', 'once', 'claimedBy']) expect(freed).not.toHaveProperty(gone)
      }
    )

    it('a page that goes during a call frees it, and fails the one that must not run twice', async () => {
      const storage = await open()
      const { task, fence } = await start(storage)
      const again = await storage.messages.ask(fence, call('again'))
      const once = await storage.messages.ask(fence, call('once'))
      await storage.messages.take(again?.requestId ?? '', 'alice', lender(false), true)
      await storage.messages.take(once?.requestId ?? '', 'alice', lender(true), true)
      await storage.messages.giveBack('connection-1')
      expect((await storage.tasks.rows(task.taskId))?.messages).toMatchObject([
        { key: 'again', state: 'pending' },
        {
          key: 'once',
          state: 'answered',
          answer: { error: { data: { code: 'may_have_run', tool: 'save', tab: 'Notes' } } }
        }
      ])
      expect(await storage.tasks.get(task.taskId)).toMatchObject({ status: 'working', openRequests: 1, openCalls: 1 })
    })

    it('the end of a task withdraws its calls', async () => {
      const storage = await open()
      const { task, fence } = await start(storage)
      const { requestId = '' } = (await storage.messages.ask(fence, call())) ?? {}
      await storage.messages.take(requestId, 'alice', lender(true), true)
      await storage.tasks.finish(fence, completed())
      await storage.messages.giveBack('connection-1')
      expect(await storage.messages.request(task.taskId, requestId)).toMatchObject({ state: 'withdrawn' })
      const ended = await storage.tasks.get(task.taskId)
      expect(ended).toMatchObject({ status: 'completed', openRequests: 0 })
      expect(ended).not.toHaveProperty('openCalls')
    })

    it('a task is found by its idempotency key, by its owner alone', async () => {
      const storage = await open()
      const { task } = await start(storage, { idempotencyKey: 'k', lent: true })
      expect(await storage.tasks.keyed('alice', 'k')).toMatchObject({ taskId: task.taskId, lent: true })
      expect(await storage.tasks.keyed('bob', 'k')).toBeUndefined()
      expect(await storage.tasks.keyed('alice', 'other')).toBeUndefined()
    })
  })
}
