// A question that is asked while somebody waits is theirs in the write that asks it.

import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { awaitOutcome } from '../../../src/tasks/result-loop.js'
import type { Capability, Fence, MessageRecord, RequestRecord } from '../../../src/types.js'
import { newTask, openEngine, type TestEngine } from '../../support/engine.js'
import { gate } from '../../support/tools.js'
import { turn } from '../../support/turns.js'

const end = { status: 'completed' as const, outcome: { result: { content: [] } } }
const needs: Capability[] = ['elicitation.form']
const draft = (key: string) => ({ key, method: 'elicitation/create', params: { message: '?' }, needs })

async function quiet(): Promise<void> {
  for (let i = 0; i < 60; i += 1) await turn()
}

interface Seat {
  sent: MessageRecord[]
  leaving: AbortController
  outcome: Promise<unknown>
}

function wait(engine: TestEngine, taskId: string, connection: string, more: object = {}): Seat {
  const sent: MessageRecord[] = []
  const leaving = new AbortController()
  const outcome = awaitOutcome(engine, {
    taskId,
    owner: 'ann',
    claimant: () => ({ connection, can: needs }),
    place: 0,
    send: async (message) => void sent.push(message),
    signal: leaving.signal,
    ...more
  })
  outcome.catch(() => undefined)
  return { sent, leaving, outcome }
}

/** As a run asks: for whoever waits then. */
const ask = (engine: TestEngine, fence: Fence, key: string): Promise<RequestRecord | undefined> =>
  engine.messages.ask(fence, draft(key), engine.waiters.find(fence.taskId, needs))

const keysOf = (sent: readonly MessageRecord[]): unknown[] =>
  sent.map((message) => (message.kind === 'request' ? message.key : message.method))

describe('a question that is asked while somebody waits', () => {
  const ready = async () => {
    const points: string[] = []
    const engine = await openEngine({ checkpoint: (point) => void points.push(point) })
    const { task, fence } = await newTask(engine)
    const one = wait(engine, task.taskId, 'c1')
    await quiet()
    onTestFinished(() => one.leaving.abort())
    return { engine, task, fence, one, points }
  }

  test('is claimed and shown by one write, once, to the first of several', async () => {
    const { engine, task, fence, one, points } = await ready()
    const two = wait(engine, task.taskId, 'c2')
    await quiet()
    points.length = 0
    const row = await ask(engine, fence, 'a')
    expect(row).toMatchObject({ state: 'delivered', claimedBy: 'c1', deliveredAt: expect.any(Number) })
    await quiet()
    expect([one.sent, two.sent]).toEqual([[row], []])
    expect(points).toEqual(['before:ask', 'committed:ask'])
    await engine.messages.answer(row?.requestId ?? '', 'ann', { result: { action: 'accept' } })
    await engine.tasks.finish(fence, end)
    expect(await one.outcome).toMatchObject({ outcome: end.outcome })
    expect(await two.outcome).toMatchObject({ outcome: end.outcome })
  })

  test('waits for its turn behind what its first waiter has not read', async () => {
    const { engine, fence, one } = await ready()
    const looker = engine.waiters.find(fence.taskId, needs)
    const written = [
      engine.messages.notify(fence, 'notifications/message', { data: 1 }),
      engine.messages.ask(fence, draft('a'), looker),
      engine.messages.ask(fence, draft('b'), looker)
    ]
    await Promise.all(written)
    await quiet()
    expect(keysOf(one.sent)).toEqual(['notifications/message', 'a', 'b'])
    expect((await ask(engine, fence, 'c'))?.state).toBe('delivered')
  })

  test('goes to the one who can answer, and to nobody of another owner', async () => {
    const { engine, task, fence } = await ready()
    expect(engine.waiters.find(task.taskId, ['sampling'])).toBeUndefined()
    const looker = { connection: 'x', can: needs, owner: 'bob', place: 0 }
    expect(await engine.messages.ask(fence, draft('a'), looker)).toMatchObject({ state: 'pending' })
  })

  test('is for the next when the one it was asked of has left, before or after the write', async () => {
    const { engine, task, fence, one } = await ready()
    const two = wait(engine, task.taskId, 'c2')
    await quiet()
    const asked = ask(engine, fence, 'a')
    one.leaving.abort()
    await asked
    await quiet()
    expect([keysOf(one.sent), keysOf(two.sent)]).toEqual([[], ['a']])
    two.leaving.abort()
    expect(await ask(engine, fence, 'b')).toMatchObject({ state: 'pending' })
  })

  test('is for the next when it cannot be sent', async () => {
    const engine = await openEngine()
    const { task, fence } = await newTask(engine)
    const broken = wait(engine, task.taskId, 'c1', { send: () => Promise.reject(new Error('pipe broke')) })
    await quiet()
    const row = await ask(engine, fence, 'a')
    expect(row?.claimedBy).toBe('c1')
    await expect(broken.outcome).rejects.toThrow('pipe broke')
    const next = wait(engine, task.taskId, 'c2')
    await quiet()
    expect(next.sent).toMatchObject([{ requestId: row?.requestId, claimedBy: 'c2' }])
    next.leaving.abort()
  })

  test('is shown though whoever asked was told that the store is busy', async () => {
    const engine = await openEngine({ deadline: 100 })
    const { task, fence } = await newTask(engine)
    const one = wait(engine, task.taskId, 'c1')
    await quiet()
    const late = gate()
    const commit = vi.spyOn(IDBTransaction.prototype, 'commit').mockImplementationOnce(function (this: IDBTransaction) {
      const spin = (): void => {
        if (busy) this.objectStore('tasks').get('none').onsuccess = spin
      }
      this.addEventListener('complete', () => late.open())
      spin()
    })
    const abort = vi.spyOn(IDBTransaction.prototype, 'abort').mockImplementation(() => {
      throw new DOMException('The transaction is committing', 'InvalidStateError')
    })
    onTestFinished(() => [commit, abort].forEach((spy) => spy.mockRestore()))
    let busy = true
    await expect(ask(engine, fence, 'a')).rejects.toMatchObject({ code: 'storage_busy' })
    expect(one.sent).toEqual([])
    busy = false
    await late.opened
    await quiet()
    expect(keysOf(one.sent)).toEqual(['a'])
    one.leaving.abort()
  })
})
