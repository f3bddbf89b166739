// Once a handler has returned or thrown, that outcome is stored, whatever the storage does meanwhile. Only a cancellation, or
// a new run after the death of its worker, replaces it.

import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { IntabError } from '../../src/errors.js'
import { runTask } from '../../src/index.js'
import { openStorage } from '../../src/storage/open-storage.js'
import { taskTool } from '../../src/tool/tool.js'
import type { TaskContext } from '../../src/tasks/task-context.js'
import { type Random, randomOf } from '../support/random.js'
import { gate, text } from '../support/tools.js'
import { pass } from '../support/turns.js'
import { type Tab, World } from '../support/world.js'
import { kinds, Weather } from './weather.js'

const rounds = Number(process.env['INTAB_STALL_ROUNDS'] ?? 2)
const seed = Number(process.env['INTAB_STALL_SEED'] ?? 20_261_202)
const second = 1000
const minute = 60 * second
const form = { message: '?', requestedSchema: { type: 'object' as const, properties: {} } }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** What the promise comes to, while a minute passes. */
async function inTime<T>(promise: Promise<T>): Promise<T> {
  let isPending = true
  const end = (): void => {
    isPending = false
  }
  promise.then(end, end)
  for (let n = 0; n < 60 && isPending; n += 1) await pass(second)
  if (isPending) throw new Error('It takes more than a minute')
  return promise
}

interface Own {
  attempt: number
  worker: number
  status: 'completed' | 'failed'
  text: string
}

class Round {
  readonly world: World
  readonly weather: Weather
  readonly random: Random
  /** What each handler came to, as it knows itself. */
  readonly own = new Map<string, Own[]>()
  /** Tasks of which a tab has the id, and what became of their cancellation. */
  readonly known = new Map<string, 'none' | 'asked' | 'done'>()
  /** Handlers at work, by task: each ends when it is told to. */
  readonly #atWork = new Map<string, ReturnType<typeof gate<void>>>()
  #workers = 0
  #n = 0

  constructor(random: Random) {
    this.random = random
    this.world = new World({ deliveryGrace: second, limits: { unfinished: 1000 } })
    this.weather = new Weather(this.world.name, random)
  }

  /** Each worker has a tool of its own, so that a handler knows which worker runs it. */
  #startWorker(): void {
    const worker = this.#workers++
    const config = {
      inputSchema: {},
      taskSupport: 'optional',
      onInterrupt: 'resume',
      maxAttempts: 1000
    } as const
    this.world.worker({ tools: [taskTool('work', config, (_, task) => this.#work(worker, task))] })
  }

  /** Notes its own outcome before it ends. It ignores what the storage refuses meanwhile. */
  async #work(worker: number, task: TaskContext) {
    const acts = [
      () => task.status('at work'),
      () => task.step(`step ${++this.#n}`, () => this.#n),
      () => task.notify({ method: 'notifications/message', params: { level: 'info', data: 'at work' } }),
      () => task.elicit(form, { key: `question ${++this.#n}` })
    ]
    for (let n = this.random.below(4); n > 0; n -= 1)
      await this.random
        .pick(acts)?.()
        .catch(() => undefined)
    const end = gate()
    this.#atWork.set(`${task.id} ${task.attempt}`, end)
    await end.opened
    const said = `outcome ${++this.#n} of run ${task.attempt}`
    const status = this.random.chance(0.3) ? 'failed' : 'completed'
    this.own.set(task.id, [...(this.own.get(task.id) ?? []), { attempt: task.attempt, worker, status, text: said }])
    if (status === 'failed') throw new Error(said)
    return text(said)
  }

  async run(first: number): Promise<void> {
    this.#startWorker()
    let tab = await this.#tab()
    for (let n = 0; n < kinds.length; n += 1) {
      this.#start(tab)
      this.#start(tab)
      await pass(this.random.below(5) * second)
      while (this.#atWork.size === 0) await pass(second)
      await inTime(this.weather.turnBad(kinds[(first + n) % kinds.length] ?? 'stalls'))
      // These ends coincide with the trouble, whatever the seed.
      this.#endSome()
      if (this.random.chance(0.5)) this.#start(tab)
      if (this.random.chance(0.2)) this.#cancel(tab)
      await pass(this.random.chance(0.5) ? (12 + this.random.below(30)) * second : (1 + this.random.below(4)) * minute)
      if (this.random.chance(0.3)) this.#endSome()
      if (this.random.chance(0.15)) tab = await this.#die()
      else await inTime(this.weather.clear())
      await pass(this.random.below(20) * second)
    }
    for (let n = 0; n < 3; n += 1) {
      this.#endSome(1)
      // The longest pause between tries, and one pass.
      await pass(minute)
    }
  }

  /** Ends one handler at least, if any is at work. */
  #endSome(share = 0.7): void {
    for (const [n, [key, end]] of [...this.#atWork].entries()) {
      if (n > 0 && !this.random.chance(share)) continue
      this.#atWork.delete(key)
      end.open()
    }
  }

  #tab(): Promise<Tab> {
    return inTime(this.world.tab({ onelicit: () => ({ action: 'accept', content: {} }) }))
  }

  /** The worker dies, and another one is there once the storage is well. */
  async #die(): Promise<Tab> {
    this.world.living().kill()
    await inTime(this.weather.clear())
    this.#startWorker()
    return this.#tab()
  }

  #start({ client }: Tab): void {
    runTask(client, { name: 'work' }).then(
      (run) => this.known.set(run.taskId, 'none'),
      () => undefined
    )
  }

  #cancel({ client }: Tab): void {
    const taskId = this.random.pick([...this.known.keys()])
    if (taskId === undefined) return
    this.known.set(taskId, 'asked')
    client.experimental.tasks.cancelTask(taskId).then(
      () => this.known.set(taskId, 'done'),
      () => undefined
    )
  }

  async judge(): Promise<void> {
    const { name } = this.world
    const storage = await openStorage({ name, publish: () => undefined })
    onTestFinished(() => storage.close())
    const { tasks } = await storage.tasks.list('everybody', { order: 'oldest', limit: 1000 })
    for (const taskId of this.known.keys())
      expect(
        tasks.map((task) => task.taskId),
        'what a tab was told of is there'
      ).toContain(taskId)
    for (const { taskId, status, attempt } of tasks) {
      const look = await storage.messages.claim(taskId, 'everybody', { connection: 'judge', can: [] }, 0)
      const cancel = this.known.get(taskId)
      if (cancel === 'done') expect(status, 'what was cancelled stays so').toBe('cancelled')
      if (status === 'cancelled' && cancel !== 'none') continue
      const [own, ...again] = (this.own.get(taskId) ?? []).filter((one) => one.attempt === attempt)
      expect(again, 'a worker that lives runs a handler once').toEqual([])
      const ofTheLiving = this.own.get(taskId)?.find(({ worker }) => worker === this.#workers - 1)
      if (ofTheLiving) expect(attempt, 'no other run takes the task of a living worker').toBe(ofTheLiving.attempt)
      // Nobody has its id: its creation was refused, though it was stored, and it was ended.
      if (own === undefined && cancel === undefined) {
        expect(status, 'what nobody runs has ended').toBe('failed')
        continue
      }
      expect({ status, outcome: look?.outcome }, 'what the handler came to is stored').toMatchObject({
        status: own?.status,
        outcome: { result: text(own?.text ?? '') }
      })
    }
    expect(await storage.messages.open({}), 'no question is open').toEqual([])
  }
}

/** Tries of a worker to store an end that failed, by the code of the failure. */
function failedEnds({ workers }: World): string[] {
  const errors = workers.flatMap((worker) => worker.eventsOf('error'))
  const ofEnds = errors.filter((event) => event.while.startsWith('storing the end'))
  return ofEnds.map(({ error }) => (error instanceof IntabError ? error.code : error.name))
}

test(
  `no trouble of the storage changes what a handler came to (${rounds} rounds, seed ${seed})`,
  { timeout: 60_000 + rounds * 10_000 },
  async () => {
    const outcomes = { completed: 0, failed: 0 }
    const failures = new Map<string, number>()
    for (let n = 0; n < rounds; n += 1) {
      const round = new Round(randomOf(seed + n))
      try {
        await round.run(n)
        await round.judge()
      } catch (error) {
        throw new Error(`Run with INTAB_STALL_ROUNDS=1 INTAB_STALL_SEED=${seed + n} to see it again`, { cause: error })
      } finally {
        round.weather.end()
      }
      for (const { status } of [...round.own.values()].flat()) outcomes[status] += 1
      for (const code of failedEnds(round.world)) failures.set(code, (failures.get(code) ?? 0) + 1)
      for (const worker of round.world.workers) worker.server.close()
    }
    for (const count of Object.values(outcomes)) expect(count).toBeGreaterThan(rounds)
    // Without these the trouble would not have met a single end.
    expect(Object.fromEntries(failures)).toMatchObject({
      storage_busy: expect.any(Number),
      storage_refused: expect.any(Number),
      quota: expect.any(Number)
    })
  }
)
