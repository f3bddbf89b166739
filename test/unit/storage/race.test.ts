// Two connections to one database, as two workers have; in every round both transactions are open before either commits.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Fence, TaskRecord } from '../../../src/types.js'
import { completed, draft, type Opened, otherPage, page, question, start } from '../../contract/storage-harness.js'
import { open } from './fixture.js'

const rounds = 500

/** Lets nobody past one of its points before two have come. */
class Barrier {
  #waiting: (() => void)[] = []
  armed = false

  readonly checkpoint = (point: string): Promise<void> | undefined => {
    if (!this.armed || !point.startsWith('before:')) return undefined
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (this.#waiting.length === 2) for (const go of this.#waiting.splice(0)) go()
    })
  }
}

describe('of two workers', () => {
  let log: string[] = []
  const barrier = new Barrier()

  beforeEach(() => {
    const transaction = IDBDatabase.prototype.transaction
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (this: IDBDatabase, ...args) {
      const tx = transaction.apply(this, args)
      if (args[1] === 'readwrite') {
        log.push('open')
        tx.addEventListener('complete', () => log.push('commit'))
      }
      return tx
    })
  })
  afterEach(() => void vi.restoreAllMocks())

  interface Round {
    storages: [Opened, Opened]
    task: TaskRecord
    fence: Fence
    round: number
  }

  /** Runs both sides at once, in turn one and the other first; resolves with what came of every round. */
  async function race<T>(sides: (round: Round) => Promise<[() => Promise<T>, () => Promise<T>]>): Promise<[T, T][]> {
    const a = await open({ checkpoint: barrier.checkpoint, limits: { unfinished: 9_999, kept: 99_999 } })
    const b = await open({ checkpoint: barrier.checkpoint, name: a.name, limits: { unfinished: 9_999, kept: 99_999 } })
    const results: [T, T][] = []
    for (let round = 0; round < rounds; round += 1) {
      const { task, fence } = await start(a)
      const [one, two] = await sides({ storages: [a, b], task, fence, round })
      log = []
      barrier.armed = true
      const second = round % 2 === 0 ? undefined : two()
      results.push(await Promise.all([one(), second ?? two()]))
      barrier.armed = false
      expect(log).toEqual(['open', 'open', 'commit', 'commit'])
    }
    expect(results).toHaveLength(rounds)
    return results
  }

  const winners = (results: [unknown, unknown][]): Set<number> =>
    new Set(results.map((pair) => pair.filter((value) => value !== undefined && value !== false).length))

  it('N3 F54 one creates the task of a key, and both have that same task', async () => {
    const results = await race(async ({ storages: [a, b], round }) => {
      const create = (storage: Opened) => () => storage.tasks.create(draft({ idempotencyKey: `key-${round}` }))
      return [create(a), create(b)]
    })
    expect(new Set(results.map((pair) => pair.filter(({ created }) => created).length))).toEqual(new Set([1]))
    expect(results.every(([one, two]) => one.task.taskId === two.task.taskId)).toBe(true)
  })

  it('N3 F54 one claims the question', async () => {
    const results = await race(async ({ storages: [a, b], task, fence }) => {
      await a.messages.ask(fence, question())
      const claim = (storage: Opened, by: typeof page) => async () =>
        (await storage.messages.claim(task.taskId, 'alice', by, 0))?.messages[0]
      return [claim(a, page), claim(b, otherPage)]
    })
    expect(winners(results)).toEqual(new Set([1]))
  })

  it('F54 one claims the question when the other takes what is pending', async () => {
    const results = await race(async ({ storages: [a, b], task, fence }) => {
      const { requestId = '' } = (await a.messages.ask(fence, question())) ?? {}
      return [
        async () => (await a.messages.claim(task.taskId, 'alice', page, 0))?.messages[0],
        async () => b.messages.take(requestId, 'alice', otherPage, true)
      ]
    })
    expect(winners(results)).toEqual(new Set([1]))
  })

  it('N18 one answers the question, and its answer is the one that is kept', async () => {
    const kept: unknown[] = []
    const results = await race(async ({ storages: [a, b], task, fence }) => {
      const { requestId = '' } = (await a.messages.ask(fence, question())) ?? {}
      const answer = (storage: Opened, by: string) => async () => {
        const won = await storage.messages.answer(requestId, 'alice', { result: { by } })
        if (won) kept.push([(await storage.messages.request(task.taskId, requestId))?.answer, { result: { by } }])
        return won
      }
      return [answer(a, 'a'), answer(b, 'b')]
    })
    expect(winners(results)).toEqual(new Set([1]))
    expect(kept).toHaveLength(rounds)
    for (const pair of kept as [unknown, unknown][]) expect(pair[0]).toEqual(pair[1])
  })

  it('F16 N7 one ends the task: finished or cancelled, never both', async () => {
    const results = await race(async ({ storages: [a, b], task, fence }) => [
      async () => a.tasks.finish(fence, completed()),
      async () => b.tasks.finish({ taskId: task.taskId }, { ...completed('Task was cancelled'), status: 'cancelled' })
    ])
    expect(winners(results)).toEqual(new Set([1]))
    expect(new Set(results.flat().map((task) => task?.status))).toEqual(new Set(['completed', 'cancelled', undefined]))
  })

  it('F18 one adopts the task of a dead worker', async () => {
    const results = await race(async ({ storages: [a, b], fence }) => [
      async () => a.roster.adopt(fence, 'worker-a'),
      async () => b.roster.adopt(fence, 'worker-b')
    ])
    expect(winners(results)).toEqual(new Set([1]))
    expect(results.flat().filter((adopted) => adopted?.task.attempt === 2)).toHaveLength(rounds)
  })

  it('F18 F16 a handler that ends its task and a worker that adopts it do not both succeed', async () => {
    const results = await race<object | undefined>(async ({ storages: [a, b], fence }) => [
      async () => a.tasks.finish(fence, completed()),
      async () => b.roster.adopt(fence, 'worker-b')
    ])
    expect(winners(results)).toEqual(new Set([1]))
  })
})
