// Whoever is woken by a write of its own worker need not read what that write left.

import { describe, expect, onTestFinished, test } from 'vitest'
import { Answers } from '../../../src/tasks/answers.js'
import { awaitOutcome } from '../../../src/tasks/result-loop.js'
import type { MessageQueue, MessageRecord } from '../../../src/types.js'
import { newTask, openEngine, type TestEngine } from '../../support/engine.js'
import { turn } from '../../support/turns.js'

const end = { status: 'completed' as const, outcome: { result: { content: [] } } }
const page = { connection: 'connection-1', can: ['elicitation.form'] } as const
const draft = (key: string) => ({ key, method: 'elicitation/create', params: { message: '?' }, needs: [] })
const accepted = { result: { action: 'accept' } }

/** The engine, with a list of the transactions that its stores open, and a way to know that nothing is under way. */
async function counted(): Promise<TestEngine & { modes: string[] }> {
  const modes: string[] = []
  const engine = await openEngine()
  const { transaction } = IDBDatabase.prototype
  IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...args: Parameters<typeof transaction>) {
    if (this.name === engine.name) modes.push(args[1] ?? 'readonly')
    return transaction.apply(this, args)
  }
  onTestFinished(() => void (IDBDatabase.prototype.transaction = transaction))
  return { ...engine, modes }
}

/** Nothing waits for a timer here: what was begun is done by then. */
async function quiet(): Promise<void> {
  for (let i = 0; i < 60; i += 1) await turn()
}

function wait(engine: TestEngine, taskId: string, owner = 'ann') {
  const sent: MessageRecord[] = []
  const outcome = awaitOutcome(engine, {
    taskId,
    owner,
    claimant: () => page,
    place: 0,
    send: async (message) => void sent.push(message),
    signal: AbortSignal.timeout(5000)
  })
  outcome.catch(() => undefined)
  return { sent, outcome }
}

describe('a waiter', () => {
  test('is told of progress and of the end without a read, however many wait', async () => {
    const engine = await counted()
    const { task, fence } = await newTask(engine)
    const waiters = Array.from({ length: 10 }, () => wait(engine, task.taskId))
    await quiet()
    engine.modes.length = 0
    for (let progress = 1; progress <= 3; progress += 1) await engine.tasks.report(fence, { progress: { progress } })
    await engine.tasks.finish(fence, end)
    for (const { outcome } of waiters) expect(await outcome).toMatchObject({ outcome: end.outcome })
    expect(engine.modes).toEqual(Array.from({ length: 4 }, () => 'readwrite'))
  })

  test('claims a new question at once, and is answered with the end without a read', async () => {
    const engine = await counted()
    const { task, fence } = await newTask(engine)
    const { sent, outcome } = wait(engine, task.taskId)
    await quiet()
    engine.modes.length = 0
    const row = await engine.messages.ask(fence, draft('a'))
    await quiet()
    expect(sent).toMatchObject([{ requestId: row?.requestId, state: 'delivered', claimedBy: 'connection-1' }])
    await engine.messages.answer(row?.requestId ?? '', 'ann', accepted)
    await engine.tasks.finish(fence, end)
    expect((await outcome).outcome).toEqual(end.outcome)
    expect(engine.modes).toEqual(['readwrite', 'readwrite', 'readwrite', 'readwrite'])
  })

  test('reads when it has not read a notification yet', async () => {
    const engine = await openEngine()
    const { task, fence } = await newTask(engine)
    const { sent, outcome } = wait(engine, task.taskId)
    await quiet()
    await engine.messages.notify(fence, 'notifications/message', { data: 'hello' })
    await engine.tasks.finish(fence, end)
    await outcome
    expect(sent).toMatchObject([{ kind: 'notification', params: { data: 'hello' } }])
  })

  test('learns nothing of a task of another owner', async () => {
    const engine = await openEngine()
    const { task, fence } = await newTask(engine)
    const finished = await engine.tasks.finish(fence, end)
    const left = { task: finished ?? task, outcome: end.outcome }
    expect(await engine.messages.claim(task.taskId, 'bob', page, 0, left)).toBeUndefined()
    expect(await engine.messages.claim(task.taskId, 'ann', page, 0, left)).toMatchObject(left)
  })
})

describe('a run that asks', () => {
  const run = async () => {
    const engine = await counted()
    const { task, fence } = await newTask(engine)
    const answers = new Answers(engine.messages, engine.bus, task.taskId, AbortSignal.timeout(5000))
    const ask = async (key: string) => {
      const row = await engine.messages.ask(fence, draft(key))
      if (row === undefined) throw new Error('fenced off')
      return row
    }
    return { ...engine, task, answers, ask }
  }

  test('reads neither its question nor the answer', async () => {
    const { modes, messages, answers, ask } = await run()
    modes.length = 0
    const seen: string[] = []
    const answer = answers.to(
      () => ask('a'),
      ({ requestId }) => seen.push(requestId)
    )
    await quiet()
    expect(seen).toHaveLength(1)
    await messages.answer(seen[0] ?? '', 'ann', accepted)
    expect(await answer).toEqual(accepted)
    expect(modes).toEqual(['readwrite', 'readwrite'])
  })

  test('finds an answer that came in the same transaction in which it asked again', async () => {
    const { messages, answers, ask, task } = await run()
    const { requestId } = await ask('a')
    // The first write is under way: the two behind it share the next one.
    const before = messages.giveBack('nobody')
    const answer = answers.to(
      () => ask('a'),
      () => undefined
    )
    const written = messages.answer(requestId, 'ann', accepted)
    await before
    expect(await written).toBe(true)
    expect(await answer).toEqual(accepted)
    expect(await messages.open({ taskId: task.taskId })).toEqual([])
  })

  test('hears of an answer that another worker wrote', async () => {
    const engine = await run()
    const elsewhere = await openEngine({ name: engine.name })
    const asked: Parameters<MessageQueue['answer']>[0][] = []
    const answer = engine.answers.to(
      () => engine.ask('a'),
      ({ requestId }) => asked.push(requestId)
    )
    await quiet()
    await elsewhere.messages.answer(asked[0] ?? '', 'ann', accepted)
    expect(await answer).toEqual(accepted)
  })

  test('asks several questions at once, and each gets its own answer in whatever order', async () => {
    const { messages, answers, ask } = await run()
    const ids = new Map<string, string>()
    const all = ['a', 'b', 'c'].map((key) =>
      answers.to(
        () => ask(key),
        ({ requestId }) => ids.set(key, requestId)
      )
    )
    await quiet()
    for (const key of ['c', 'a', 'b']) {
      await messages.answer(ids.get(key) ?? '', 'ann', { result: { action: 'accept', content: { key } } })
    }
    expect(await Promise.all(all)).toEqual(
      ['a', 'b', 'c'].map((key) => ({ result: { action: 'accept', content: { key } } }))
    )
  })

  test('is told when it cannot be stored, and can ask again', async () => {
    const { answers, ask, messages } = await run()
    const refused = new Error('no room')
    await expect(
      answers.to(
        () => Promise.reject(refused),
        () => undefined
      )
    ).rejects.toBe(refused)
    let id = ''
    const answer = answers.to(
      () => ask('b'),
      ({ requestId }) => void (id = requestId)
    )
    await quiet()
    await messages.answer(id, 'ann', accepted)
    expect(await answer).toEqual(accepted)
  })
})
