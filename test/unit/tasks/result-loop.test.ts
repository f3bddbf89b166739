import { describe, expect, test } from 'vitest'
import { IntabError } from '../../../src/errors.js'
import { awaitOutcome } from '../../../src/tasks/result-loop.js'
import type { Fence, Left, MessageQueue, MessageRecord, UpdateBus } from '../../../src/types.js'
import { newTask, openEngine, type TestEngine } from '../../support/engine.js'
import { settledWithin } from '../../support/turns.js'

const end = { status: 'completed' as const, outcome: { result: { content: [] } } }
const claimant = { connection: 'connection-1', can: ['elicitation.form', 'sampling'] } as const
const question = { key: 'elicit#1', method: 'elicitation/create', params: { message: '?' }, needs: [] }

/** Calls `at(n)` before and after every await of the loop, numbered in the order in which they come. */
function instrumented(engine: TestEngine, bus: UpdateBus, at: (point: number) => Promise<unknown>) {
  let point = 0
  const here = (): Promise<unknown> => at(++point)
  const around = async <T>(act: () => Promise<T>): Promise<T> => {
    await here()
    const value = await act()
    await here()
    return value
  }
  const messages: MessageQueue = {
    ...engine.messages,
    claim: (...args) => around(() => engine.messages.claim(...args))
  }
  const watched: UpdateBus = {
    ...bus,
    watch(taskId, signal) {
      const ticks = bus.watch(taskId, signal)
      const steps: AsyncIterableIterator<Left | undefined> = {
        next: () => around(() => ticks.next()),
        return: async () => ticks.return?.() ?? { done: true, value: undefined },
        [Symbol.asyncIterator]: () => steps
      }
      return steps
    }
  }
  const send = (): Promise<void> => around(() => Promise.resolve())
  return { messages, bus: watched, waiters: engine.waiters, send, points: () => point }
}

/** Runs the loop on a task with a question and a notification; the task ends at one point. */
async function endAt(
  engine: TestEngine,
  bus: UpdateBus,
  chosen: number
): Promise<{ outcome: unknown; points: number }> {
  const { task, fence } = await newTask(engine)
  await engine.messages.ask(fence, question)
  await engine.messages.notify(fence, 'notifications/message', { level: 'info', data: 'hello' })
  const finish = (): Promise<unknown> => engine.tasks.finish(fence, end)
  const loop = instrumented(engine, bus, async (point) => {
    if (point === chosen) await finish()
  })
  const waiting = new AbortController()
  const outcome = awaitOutcome(loop, {
    taskId: task.taskId,
    owner: task.owner,
    claimant: () => claimant,
    place: 0,
    send: loop.send,
    signal: waiting.signal
  })
  outcome.catch(() => undefined)
  const early = await settledWithin(outcome, 60)
  if (early === 'hung' && loop.points() < chosen) await finish()
  const settled = early === 'hung' ? await settledWithin(outcome) : early
  waiting.abort()
  return { outcome: settled === 'hung' ? 'hung' : settled.outcome, points: loop.points() }
}

/** As the bus wakes when another worker wrote. */
function tellsNamesOnly(bus: UpdateBus): UpdateBus {
  return {
    ...bus,
    async *watch(taskId, signal) {
      for await (const _ of bus.watch(taskId, signal)) yield undefined
    }
  }
}

/** What the loop must not do: look first, and subscribe only before it waits. */
function subscribesAfterTheRead(bus: UpdateBus): UpdateBus {
  return {
    ...bus,
    watch(taskId, signal) {
      let ticks: AsyncIterableIterator<Left | undefined> | undefined
      let first = true
      const steps: AsyncIterableIterator<Left | undefined> = {
        async next() {
          if (first) {
            first = false
            return { done: false, value: undefined }
          }
          if (ticks === undefined) {
            ticks = bus.watch(taskId, signal)
            await ticks.next()
          }
          return ticks.next()
        },
        return: async () => ticks?.return?.() ?? { done: true, value: undefined },
        [Symbol.asyncIterator]: () => steps
      }
      return steps
    }
  }
}

const busOf = ({ bus }: TestEngine): UpdateBus => ({
  publish: (taskId, left) => bus.publish(taskId, left),
  watch: (taskId, signal) => bus.watch(taskId, signal),
  listen: (listener) => bus.listen(listener),
  wakeAll: () => bus.wakeAll(),
  greet: (worker, onhello) => bus.greet(worker, onhello),
  close: () => bus.close()
})

async function endAtEveryPoint(make: (engine: TestEngine) => UpdateBus): Promise<unknown[]> {
  const engine = await openEngine()
  const bus = make(engine)
  const { points } = await endAt(engine, bus, Infinity)
  expect(points).toBeGreaterThan(8)
  const outcomes: unknown[] = []
  for (let chosen = 1; chosen <= points; chosen++) outcomes.push((await endAt(engine, bus, chosen)).outcome)
  return outcomes
}

describe('a task that ends between any two awaits of a waiter', () => {
  test('N1 C1 never leaves the waiter hanging', async () => {
    const outcomes = await endAtEveryPoint(busOf)
    expect(outcomes.filter((outcome) => outcome === 'hung')).toEqual([])
    expect(outcomes.every((outcome) => JSON.stringify(outcome) === JSON.stringify(end.outcome))).toBe(true)
  })

  test('nor when another worker ended it, and the store alone can tell', async () => {
    const outcomes = await endAtEveryPoint((engine) => tellsNamesOnly(busOf(engine)))
    expect(outcomes.every((outcome) => JSON.stringify(outcome) === JSON.stringify(end.outcome))).toBe(true)
  })

  test('would leave it hanging if it subscribed after its read (the proof that the test above can fail)', async () => {
    const outcomes = await endAtEveryPoint((engine) => subscribesAfterTheRead(busOf(engine)))
    expect(outcomes).toContain('hung')
  })
})

describe('waiting for a task', () => {
  const wait = (engine: TestEngine, taskId: string, more: Partial<Parameters<typeof awaitOutcome>[1]> = {}) =>
    awaitOutcome(engine, {
      taskId,
      owner: 'ann',
      claimant: () => claimant,
      place: 0,
      send: () => Promise.resolve(),
      signal: AbortSignal.timeout(5000),
      ...more
    })

  const collect = (): { sent: MessageRecord[]; send: (message: MessageRecord) => Promise<void> } => {
    const sent: MessageRecord[] = []
    return { sent, send: async (message) => void sent.push(message) }
  }

  const ready = async (): Promise<{ engine: TestEngine; taskId: string; fence: Fence }> => {
    const engine = await openEngine()
    const { task, fence } = await newTask(engine)
    return { engine, taskId: task.taskId, fence }
  }

  test('N2 answers ten callers of one task, each with the same outcome', async () => {
    const { engine, taskId, fence } = await ready()
    const waits = Array.from({ length: 10 }, () => wait(engine, taskId))
    await engine.tasks.finish(fence, end)
    const ended = await Promise.all(waits)
    expect(ended.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 10 }, () => end.outcome))
  })

  test('N3 A7 F54 gives a question to exactly one of two connections', async () => {
    const { engine, taskId, fence } = await ready()
    const [one, two] = [collect(), collect()]
    const waits = [
      wait(engine, taskId, { send: one.send }),
      wait(engine, taskId, { send: two.send, claimant: () => ({ ...claimant, connection: 'connection-2' }) })
    ]
    await engine.messages.ask(fence, question)
    await expect.poll(() => one.sent.length + two.sent.length).toBe(1)
    await engine.tasks.finish(fence, end)
    await Promise.all(waits)
    expect(one.sent.length + two.sent.length).toBe(1)
  })

  test('N5 A3 gives a question back when its send fails, and tells the caller', async () => {
    const { engine, taskId, fence } = await ready()
    await engine.messages.ask(fence, question)
    const broken = wait(engine, taskId, { send: () => Promise.reject(new Error('pipe broke')) })
    await expect(broken).rejects.toThrow('pipe broke')
    const next = collect()
    const waiting = wait(engine, taskId, { send: next.send })
    await expect.poll(() => next.sent.length).toBe(1)
    await engine.tasks.finish(fence, end)
    await waiting
  })

  test('sends what was there before the end in order, and before the outcome', async () => {
    const { engine, taskId, fence } = await ready()
    for (let i = 0; i < 250; i++) await engine.messages.notify(fence, 'notifications/message', { data: i })
    await engine.tasks.finish(fence, end)
    const { sent, send } = collect()
    await wait(engine, taskId, { send })
    expect(sent.map(({ n }) => n)).toEqual(Array.from({ length: 250 }, (_, i) => i + 1))
  })

  test('RH-03 ST-22 rejects with -32602 for an unknown task, and for a foreign one', async () => {
    const { engine, taskId } = await ready()
    await expect(wait(engine, 'nothing')).rejects.toMatchObject({ code: -32602, message: 'Task not found: nothing' })
    await expect(wait(engine, taskId, { owner: 'bob' })).rejects.toMatchObject({ code: -32602 })
  })

  test('gives back what a claim took that was told "busy", when nobody waits any more', async () => {
    const { engine, taskId, fence } = await ready()
    const row = await engine.messages.ask(fence, question)
    const leaving = new AbortController()
    const claim: typeof engine.messages.claim = async (...args) => {
      await engine.messages.claim(...args)
      leaving.abort(new Error('left'))
      throw new IntabError('storage_busy', 'try again')
    }
    const slow = { ...engine, messages: { ...engine.messages, claim } }
    const giveBack = (): Promise<void> => engine.messages.giveBack(claimant.connection)
    await expect(wait(slow, taskId, { giveBack, signal: leaving.signal })).rejects.toThrow('left')
    expect(await engine.messages.request(taskId, row?.requestId ?? '')).toMatchObject({ state: 'pending' })
  })

  test('ends with the reason of its signal', async () => {
    const { engine, taskId } = await ready()
    const leaving = new AbortController()
    const waiting = wait(engine, taskId, { signal: leaving.signal })
    leaving.abort(new Error('left'))
    await expect(waiting).rejects.toThrow('left')
  })
})
