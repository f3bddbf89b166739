import { describe, expect, it, vi } from 'vitest'
import type { Outcome, RequestRecord } from '../../src/types.js'
import { completed, type Open, type Opened, otherPage, page, question, start } from './storage-harness.js'

const accept: Outcome = { result: { action: 'accept', content: { ok: true } } }

async function asked(storage: Opened, key = 'elicit:0') {
  const { task, fence } = await start(storage)
  const request = await storage.messages.ask(fence, question(key))
  if (request === undefined) throw new Error('The question was fenced off')
  const row = (): Promise<RequestRecord | undefined> => storage.messages.request(task.taskId, request.requestId)
  return { task, fence, requestId: request.requestId, row }
}

/** Open requests: taken, given back, answered once. */
export function answerContract(name: string, open: Open): void {
  describe(`${name}: open requests`, () => {
    it('MQ-19 an answer is in the row for whoever waits, and the task works again', async () => {
      const storage = await open()
      const { task, requestId, row } = await asked(storage)
      await storage.messages.claim(task.taskId, 'alice', page, 0)
      const told = storage.published.length
      expect(await storage.messages.answer(requestId, 'alice', accept)).toBe(true)
      expect(await row()).toMatchObject({ state: 'answered', answer: accept })
      expect(await row()).not.toHaveProperty('claimedBy')
      expect(await storage.tasks.get(task.taskId)).toMatchObject({ status: 'working', openRequests: 0, revision: 4 })
      expect(storage.published.slice(told)).toEqual([task.taskId])
    })

    it('MQ-20 N11 an error answer keeps code, message and data, and the task works again', async () => {
      const storage = await open()
      const { task, requestId, row } = await asked(storage)
      const error = { error: { code: -1, message: 'User rejected', data: { why: 'busy' } } }
      expect(await storage.messages.answer(requestId, 'alice', error)).toBe(true)
      expect(await row()).toMatchObject({ state: 'answered', answer: error })
      expect(await storage.tasks.get(task.taskId)).toMatchObject({ status: 'working' })
    })

    it('MQ-21 MQ-22 the first answer stays; a second, of either kind, is refused quietly', async () => {
      const storage = await open()
      const { requestId, row } = await asked(storage)
      await storage.messages.answer(requestId, 'alice', accept)
      const told = storage.published.length
      expect(await storage.messages.answer(requestId, 'alice', { result: { action: 'cancel' } })).toBe(false)
      expect(await storage.messages.answer(requestId, 'alice', { error: { code: 1, message: 'late' } })).toBe(false)
      expect(await row()).toMatchObject({ answer: accept })
      expect(storage.published).toHaveLength(told)
    })

    it('a refused answer stays with its question, which is shown by whoever gave it, until it is answered', async () => {
      const storage = await open()
      const { task, requestId, row } = await asked(storage)
      await storage.messages.claim(task.taskId, 'alice', page, 0)
      const { deliveredAt } = (await row()) ?? {}
      const told = storage.published.length
      const why = { reason: 'ok is required', answer: { action: 'accept', content: {} } }
      const { connection } = page
      expect(await storage.messages.refuse(requestId, 'bob', connection, why)).toBeUndefined()
      expect(storage.published).toHaveLength(told)
      const refused = { state: 'delivered', claimedBy: connection, deliveredAt, refused: { ...why, count: 1 } }
      expect(await storage.messages.refuse(requestId, 'alice', connection, why)).toMatchObject(refused)
      expect(await row()).toMatchObject(refused)
      expect(storage.published.slice(told)).toEqual([task.taskId])
      expect(await storage.tasks.get(task.taskId)).toMatchObject({ status: 'input_required', openRequests: 1 })
      const { connection: other } = otherPage
      expect(await storage.messages.refuse(requestId, 'alice', other, { reason: 'no' })).toMatchObject({
        claimedBy: other,
        refused: { reason: 'no', count: 2 }
      })
      await storage.messages.answer(requestId, 'alice', accept)
      expect(await row()).not.toHaveProperty('refused')
      expect(await storage.messages.refuse(requestId, 'alice', connection, why)).toBeUndefined()
    })

    it('R13 the task of a client that will answer a question stands with it for as long as the client has it', async () => {
      const storage = await open()
      const { task, requestId, row } = await asked(storage)
      await storage.messages.claim(task.taskId, 'alice', page, 0)
      const { deliveredAt } = (await row()) ?? {}
      const { connection } = page
      const host = (owner = 'alice', by = connection) => storage.messages.host(requestId, owner, by, 'theirs')
      expect(await host('bob')).toBeUndefined()
      const told = storage.published.length
      const hosted = { state: 'delivered', claimedBy: connection, deliveredAt, hosted: 'theirs' }
      expect(await host()).toMatchObject(hosted)
      expect(await row()).toMatchObject(hosted)
      expect(storage.published.slice(told)).toEqual([task.taskId])
      // A page that comes back need not hold what its client answers by a task.
      await storage.messages.giveBack(connection, { except: [] })
      expect(await row()).toMatchObject(hosted)
      const { connection: other } = otherPage
      await storage.messages.take(requestId, 'alice', otherPage)
      expect(await row()).toMatchObject({ claimedBy: other })
      expect(await row()).not.toHaveProperty('hosted')
      expect(await host('alice', other)).toMatchObject({ claimedBy: other, hosted: 'theirs' })
      await storage.messages.giveBack(other)
      expect(await row()).toMatchObject({ state: 'pending' })
      expect(await row()).not.toHaveProperty('hosted')
      await host()
      await storage.messages.answer(requestId, 'alice', accept)
      expect(await row()).not.toHaveProperty('hosted')
      expect(await host()).toBeUndefined()
    })

    it('MQ-23 a question has no answer at first', async () => {
      const storage = await open()
      const { row } = await asked(storage)
      expect(await row()).toMatchObject({ state: 'pending' })
      expect(await row()).not.toHaveProperty('answer')
    })

    it('MQ-11 a question, its claim and its answer survive the connection to the database', async () => {
      const first = await open()
      const { task, requestId } = await asked(first)
      await first.messages.claim(task.taskId, 'alice', page, 0)
      first.close()
      const second = await open({ name: first.name })
      expect(await second.roster.claimants()).toEqual(['connection-1'])
      expect(await second.messages.answer(requestId, 'alice', accept)).toBe(true)
      expect(await second.messages.request(task.taskId, requestId)).toMatchObject({ answer: accept })
    })

    it('N9 the task waits for input until the last of two questions is answered', async () => {
      const storage = await open()
      const { task, fence, requestId } = await asked(storage)
      const second = await storage.messages.ask(fence, question('elicit:1'))
      await storage.messages.answer(requestId, 'alice', accept)
      expect(await storage.tasks.get(task.taskId)).toMatchObject({ status: 'input_required', openRequests: 1 })
      await storage.messages.answer(second?.requestId ?? '', 'alice', accept)
      expect(await storage.tasks.get(task.taskId)).toMatchObject({ status: 'working', openRequests: 0 })
    })

    it('N18 an answer from another owner, to nothing, or after the end changes nothing', async () => {
      const storage = await open()
      const { task, fence, requestId, row } = await asked(storage)
      expect(await storage.messages.answer(requestId, 'bob', accept)).toBe(false)
      for (const id of ['', 'task:', 's:worker:1', `task:${task.taskId}:other`]) {
        expect(await storage.messages.answer(id, 'alice', accept)).toBe(false)
        expect(await storage.messages.take(id, 'alice', page)).toBeUndefined()
      }
      await storage.tasks.finish(fence, completed())
      expect(await storage.messages.answer(requestId, 'alice', accept)).toBe(false)
      expect(await row()).toMatchObject({ state: 'withdrawn' })
    })

    it('taking moves a claim to the caller and tells everybody; taking it again changes nothing', async () => {
      const storage = await open()
      const { task, requestId, row } = await asked(storage)
      await storage.messages.claim(task.taskId, 'alice', page, 0)
      const told = storage.published.length
      const taken = await storage.messages.take(requestId, 'alice', otherPage)
      expect(taken).toMatchObject({ state: 'delivered', claimedBy: 'connection-2' })
      expect(await storage.messages.take(requestId, 'alice', otherPage)).toEqual(taken)
      expect(await row()).toEqual(taken)
      expect(storage.published.slice(told)).toEqual([task.taskId])
    })

    it('nobody takes what is foreign, beyond its client or, with onlyPending, held by another', async () => {
      const storage = await open()
      const { requestId, row } = await asked(storage)
      expect(await storage.messages.take(requestId, 'bob', page)).toBeUndefined()
      expect(await storage.messages.take(requestId, 'alice', { connection: 'c', can: ['sampling'] })).toBeUndefined()
      expect(await storage.messages.take(requestId, 'alice', page, true)).toMatchObject({ claimedBy: 'connection-1' })
      expect(await storage.messages.take(requestId, 'alice', otherPage, true)).toBeUndefined()
      expect(await row()).toMatchObject({ claimedBy: 'connection-1' })
      await storage.messages.answer(requestId, 'alice', accept)
      expect(await storage.messages.take(requestId, 'alice', otherPage)).toBeUndefined()
    })

    it('N4 F59 what a connection gives back is pending again, for any other', async () => {
      const storage = await open()
      const { task, row } = await asked(storage)
      await storage.messages.claim(task.taskId, 'alice', page, 0)
      const told = storage.published.length
      await storage.messages.giveBack('connection-1')
      expect(await row()).toMatchObject({ state: 'pending' })
      expect(await row()).not.toHaveProperty('claimedBy')
      expect(storage.published.slice(told)).toEqual([task.taskId])
      const snapshot = await storage.messages.claim(task.taskId, 'alice', otherPage, 0)
      expect(snapshot?.messages).toMatchObject([{ claimedBy: 'connection-2' }])
      await storage.messages.giveBack('connection-1')
      expect(await row()).toMatchObject({ claimedBy: 'connection-2' })
    })

    it('a connection gives back all but what it still holds, or only what it names', async () => {
      const storage = await open()
      const three = [await asked(storage, 'a'), await asked(storage, 'b'), await asked(storage, 'c')]
      for (const { task } of three) await storage.messages.claim(task.taskId, 'alice', page, 0)
      const [a = '', b = '', c = ''] = three.map(({ requestId }) => requestId)
      const held = async () =>
        (await storage.messages.open({})).filter((row) => row.claimedBy !== undefined).map((row) => row.requestId)
      await storage.messages.giveBack('connection-1', { only: [a, 'task:none:x'] })
      expect((await held()).sort()).toEqual([b, c].sort())
      await storage.messages.giveBack('connection-1', { except: [c] })
      expect(await held()).toEqual([c])
      await storage.messages.giveBack('connection-1', { only: [] })
      expect(await held()).toEqual([c])
    })

    it('open requests come in order, of one task, of one owner, or all; more than one database page too', async () => {
      const storage = await open()
      const { task, fence } = await start(storage)
      const other = await start(storage, { owner: 'bob' })
      for (let n = 0; n < 150; n += 1) await storage.messages.ask(fence, question(`q${n}`))
      await storage.messages.ask(other.fence, question('bob'))
      const keys = async (of: { owner?: string; taskId?: string }) =>
        (await storage.messages.open(of)).map((row) => row.key)
      const mine = Array.from({ length: 150 }, (_, n) => `q${n}`)
      expect(await keys({ taskId: task.taskId })).toEqual(mine)
      expect(await keys({ owner: 'alice' })).toEqual(mine)
      expect(await keys({})).toEqual([...mine, 'bob'])
      expect(await keys({ taskId: 'none' })).toEqual([])
    })

    it('open requests of one millisecond come by owner, task and number', async () => {
      vi.useFakeTimers({ toFake: ['Date'], now: 1_700_000_000_000 })
      try {
        const storage = await open()
        const owners = ['erin', 'bob', 'dave', 'alice', 'carol']
        for (const owner of owners) {
          const { fence } = await start(storage, { owner })
          for (const n of [1, 2]) await storage.messages.ask(fence, question(`${owner} ${n}`))
        }
        const found = await storage.messages.open({})
        expect(found.map(({ key }) => key)).toEqual(owners.sort().flatMap((owner) => [`${owner} 1`, `${owner} 2`]))
      } finally {
        vi.useRealTimers()
      }
    })
  })
}
