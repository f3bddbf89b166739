import { describe, expect, it } from 'vitest'
import type { Capability } from '../../src/types.js'
import { completed, type Open, otherPage, page, question, start } from './storage-harness.js'

/** Messages on their way out: what is enqueued, and who claims it. */
export function messageQueueContract(name: string, open: Open): void {
  describe(`${name}: messages`, () => {
    it('MQ-01 MQ-10 MQ-11 a question comes back whole, claimed, with its id and its time', async () => {
      const storage = await open()
      const { task, fence } = await start(storage)
      const asked = await storage.messages.ask(fence, question())
      const snapshot = await storage.messages.claim(task.taskId, 'alice', page, 0)
      expect(asked).toMatchObject({ kind: 'request', n: 1, state: 'pending', ...question() })
      expect(asked?.requestId).toMatch(new RegExp(`^task:${task.taskId}:[0-9a-f-]{36}$`))
      expect(asked?.enqueuedAt).toBeCloseTo(Date.now(), -4)
      const claim = { state: 'delivered', claimedBy: 'connection-1', deliveredAt: expect.any(Number) }
      expect(snapshot?.messages).toEqual([{ ...asked, ...claim }])
      expect(snapshot?.task.status).toBe('input_required')
    })

    it('MQ-02 MQ-08 MQ-17 a task without messages has none, and its end withdraws none', async () => {
      const storage = await open()
      const { task, fence } = await start(storage)
      expect(await storage.messages.claim(task.taskId, 'alice', page, 0)).toEqual({ task, messages: [], more: false })
      await storage.tasks.finish(fence, completed())
      const snapshot = await storage.messages.claim(task.taskId, 'alice', page, 0)
      expect(snapshot).toMatchObject({ messages: [], outcome: completed().outcome })
    })

    it('MQ-03 questions and notifications come in the order in which they were enqueued', async () => {
      const storage = await open()
      const { task, fence } = await start(storage)
      for (const key of ['a', 'b', 'c']) {
        await storage.messages.notify(fence, 'notifications/message', { before: key })
        await storage.messages.ask(fence, question(key))
      }
      const snapshot = await storage.messages.claim(task.taskId, 'alice', page, 0)
      expect(snapshot?.messages.map((message) => message.n)).toEqual([1, 2, 3, 4, 5, 6])
      expect(snapshot?.messages.map((message) => message.kind)).toEqual(
        Array.from({ length: 3 }, () => ['notification', 'request']).flat()
      )
    })

    it('MQ-04 two tasks keep their messages apart', async () => {
      const storage = await open()
      const [a, b] = [await start(storage), await start(storage)]
      await storage.messages.ask(a.fence, question('a'))
      await storage.messages.ask(b.fence, question('b'))
      const snapshot = await storage.messages.claim(b.task.taskId, 'alice', page, 0)
      expect(snapshot?.messages).toMatchObject([{ key: 'b', taskId: b.task.taskId }])
      expect(await storage.messages.open({ taskId: a.task.taskId })).toMatchObject([{ key: 'a', state: 'pending' }])
    })

    it('MQ-05 a look by somebody who cannot answer claims nothing and hands nothing out', async () => {
      const points: string[] = []
      const storage = await open({ checkpoint: (point) => void points.push(point) })
      const { task, fence } = await start(storage)
      await storage.messages.ask(fence, question('form', { needs: ['sampling', 'sampling.tools'] }))
      for (const can of [[], ['sampling'], ['sampling.tools', 'elicitation.form']] satisfies Capability[][]) {
        const snapshot = await storage.messages.claim(task.taskId, 'alice', { connection: 'c', can }, 0)
        expect(snapshot?.messages).toEqual([])
      }
      expect(await storage.messages.open({})).toMatchObject([{ state: 'pending' }])
      expect(points).not.toContain('before:claim')
      const able: Capability[] = ['sampling.tools', 'sampling']
      const snapshot = await storage.messages.claim(task.taskId, 'alice', { connection: 'c', can: able }, 0)
      expect(snapshot?.messages).toMatchObject([{ state: 'delivered', claimedBy: 'c' }])
      expect(points).toContain('committed:claim')
    })

    it('MQ-06 MQ-07 the task waits for input exactly while requests are open; its end empties the queue', async () => {
      const storage = await open()
      const { task, fence } = await start(storage)
      const status = async () => (await storage.tasks.get(task.taskId))?.status
      const a = await storage.messages.ask(fence, question('a'))
      await storage.messages.ask(fence, question('b'))
      expect(await status()).toBe('input_required')
      await storage.messages.answer(a?.requestId ?? '', 'alice', { result: { action: 'decline' } })
      expect(await status()).toBe('input_required')
      await storage.tasks.finish(fence, completed())
      expect(await storage.messages.open({ taskId: task.taskId })).toEqual([])
      expect((await storage.messages.claim(task.taskId, 'alice', page, 0))?.messages).toEqual([])
    })

    it('MQ-09 a notification comes to every reader, from its own place on, past the end too', async () => {
      const storage = await open()
      const { task, fence } = await start(storage)
      await storage.messages.notify(fence, 'notifications/message', { n: 1 })
      await storage.messages.notify(fence, 'notifications/message', { n: 2 })
      const read = async (place: number) =>
        (await storage.messages.claim(task.taskId, 'alice', page, place))?.messages.map((message) => message.params)
      expect(await read(0)).toEqual([{ n: 1 }, { n: 2 }])
      expect(await read(1)).toEqual([{ n: 2 }])
      expect(await read(2)).toEqual([])
      await storage.tasks.finish(fence, completed())
      expect(await read(0)).toEqual([{ n: 1 }, { n: 2 }])
    })

    it('F54 a request that somebody shows is handed to nobody else, nor to the same connection again', async () => {
      const storage = await open()
      const { task, fence } = await start(storage)
      await storage.messages.ask(fence, question())
      const claim = async (by = page) => (await storage.messages.claim(task.taskId, 'alice', by, 0))?.messages
      expect(await claim()).toHaveLength(1)
      expect(await claim()).toEqual([])
      expect(await claim(otherPage)).toEqual([])
    })

    it('F6 a foreign task is like none', async () => {
      const storage = await open()
      const { task, fence } = await start(storage)
      await storage.messages.ask(fence, question())
      expect(await storage.messages.claim(task.taskId, 'bob', page, 0)).toBeUndefined()
      expect(await storage.messages.open({ owner: 'bob' })).toEqual([])
      expect(await storage.messages.open({ owner: 'bob', taskId: task.taskId })).toEqual([])
      expect(await storage.messages.open({ owner: 'alice', taskId: task.taskId })).toMatchObject([{ state: 'pending' }])
    })

    it('of some owners: what is open of each of them, in the order in which it was asked', async () => {
      const storage = await open()
      const asked: string[] = []
      for (const owner of ['bob', 'alice', 'carol']) {
        const { fence } = await start(storage, { owner })
        asked.push((await storage.messages.ask(fence, question()))?.requestId ?? '')
      }
      const idsOf = async (owner: string[]) =>
        (await storage.messages.open({ owner })).map(({ requestId }) => requestId)
      expect(new Set(await idsOf(['carol', 'bob']))).toEqual(new Set([asked[0], asked[2]]))
      expect(await idsOf(['nobody'])).toEqual([])
      expect(await idsOf([])).toEqual([])
    })

    it('a task is gone for whoever is told that a write removed it', async () => {
      const storage = await open()
      const { task } = await start(storage)
      const claim = storage.messages.claim(task.taskId, 'alice', page, 0, { task, removed: true })
      expect(await claim).toBeUndefined()
    })

    it('hands out at most 100 messages at a time, in order, and says that there are more', async () => {
      const storage = await open()
      const { task, fence } = await start(storage)
      for (let n = 1; n <= 230; n += 1) {
        if (n % 2 === 0) await storage.messages.ask(fence, question(`q${n}`))
        else await storage.messages.notify(fence, 'notifications/message', { n })
      }
      const seen: number[] = []
      const sizes: number[] = []
      for (let place = 0, more = true; more;) {
        const snapshot = await storage.messages.claim(task.taskId, 'alice', page, place)
        const messages = snapshot?.messages ?? []
        seen.push(...messages.map((message) => message.n))
        sizes.push(messages.length)
        place = messages.findLast((message) => message.kind === 'notification')?.n ?? place
        more = snapshot?.more ?? false
      }
      expect(seen).toEqual(Array.from({ length: 230 }, (_, index) => index + 1))
      expect(sizes).toEqual([100, 100, 30])
    })

    it('a question asked again under its key is the same row, whatever became of it', async () => {
      const storage = await open()
      const { task, fence } = await start(storage)
      const asked = await storage.messages.ask(fence, question('k', { params: { a: 1, b: [2] } }))
      const again = () => storage.messages.ask(fence, question('k', { params: { b: [2], a: 1 } }))
      expect(await again()).toEqual(asked)
      await storage.messages.answer(asked?.requestId ?? '', 'alice', { result: { action: 'accept' } })
      expect(await again()).toMatchObject({ requestId: asked?.requestId, state: 'answered' })
      expect(await storage.tasks.get(task.taskId)).toMatchObject({
        openRequests: 0,
        messageCount: 1,
        status: 'working'
      })
    })

    it.each([{ params: { message: 'else?' } }, { method: 'sampling/createMessage' }])(
      'another question under a known key is refused as diverged (%o)',
      async (change) => {
        const storage = await open()
        const { task, fence } = await start(storage)
        await storage.messages.ask(fence, question('k'))
        const before = await storage.tasks.get(task.taskId)
        const diverged = { code: 'diverged', data: { key: 'k' } }
        await expect(storage.messages.ask(fence, question('k', change))).rejects.toMatchObject(diverged)
        expect(await storage.tasks.get(task.taskId)).toEqual(before)
      }
    )
  })
}
