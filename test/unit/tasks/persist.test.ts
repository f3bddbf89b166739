import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { IntabError } from '../../../src/errors.js'
import { awaitOutcome } from '../../../src/tasks/result-loop.js'
import { newTask, openEngine } from '../../support/engine.js'
import { turn } from '../../support/turns.js'

const end = { status: 'completed' as const, outcome: { result: { content: [] } } }
const busy = new IntabError('storage_busy', 'The database did not answer')

async function waiting(failures: number, error: Error) {
  const engine = await openEngine()
  const { task, fence } = await newTask(engine)
  await engine.tasks.finish(fence, end)
  let tries = 0
  const messages: typeof engine.messages = {
    ...engine.messages,
    claim: (...args) => (++tries <= failures ? Promise.reject(error) : engine.messages.claim(...args))
  }
  const leaving = new AbortController()
  const outcome = awaitOutcome(
    { ...engine, messages },
    {
      taskId: task.taskId,
      owner: task.owner,
      claimant: () => ({ connection: 'c', can: [] }),
      place: 0,
      send: () => Promise.resolve(),
      signal: leaving.signal
    }
  )
  return { outcome: passing(outcome), leaving, tries: () => tries }
}

/** The promise, with time passing until it settles. */
function passing<T>(promise: Promise<T>): Promise<T> {
  let settled = false
  const end = (): void => {
    settled = true
  }
  promise.then(end, end)
  const pass = async (): Promise<T> => {
    while (!settled) {
      await vi.advanceTimersByTimeAsync(10)
      await turn()
    }
    return promise
  }
  const passed = pass()
  passed.catch(() => undefined)
  return passed
}

describe('a store that fails while somebody waits for a task', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('RH-14 RH-15 N25 is tried again, and the wait goes on', async () => {
    for (const error of [busy, new DOMException('lost', 'UnknownError')]) {
      const { outcome, tries } = await waiting(2, error)
      expect(await outcome).toMatchObject({ outcome: end.outcome })
      expect(tries()).toBe(3)
    }
  })

  test('N25 is tried three times, not for ever: then the waiter gets the error', async () => {
    const { outcome, tries } = await waiting(Infinity, busy)
    await expect(outcome).rejects.toBe(busy)
    expect(tries()).toBe(3)
  })

  test('loses no question that it claimed although it seemed to fail', async () => {
    const engine = await openEngine()
    const { task, fence } = await newTask(engine)
    await engine.messages.ask(fence, { key: 'elicit#1', method: 'elicitation/create', params: {}, needs: [] })
    let tries = 0
    const messages: typeof engine.messages = {
      ...engine.messages,
      claim: async (...args) => {
        const look = await engine.messages.claim(...args)
        if (++tries === 1) throw busy
        return look
      }
    }
    const sent: string[] = []
    const wait = {
      taskId: task.taskId,
      owner: task.owner,
      claimant: () => ({ connection: 'c', can: [] }),
      place: 0,
      send: async ({ method }: { method: string }) => {
        sent.push(method)
        await engine.tasks.finish(fence, end)
      },
      giveBack: () => engine.messages.giveBack('c', { except: [] }),
      signal: new AbortController().signal
    }
    await passing(awaitOutcome({ ...engine, messages }, wait))
    expect(sent).toEqual(['elicitation/create'])
  })

  test('is not tried again when it refuses for good, nor for somebody who left', async () => {
    const superseded = new IntabError('superseded', 'A newer version has taken over')
    const refused = await waiting(Infinity, superseded)
    await expect(refused.outcome).rejects.toBe(superseded)
    expect(refused.tries()).toBe(1)
    const left = await waiting(Infinity, busy)
    left.leaving.abort(new Error('left'))
    await expect(left.outcome).rejects.toThrow('left')
    expect(left.tries()).toBeLessThan(3)
  })
})
