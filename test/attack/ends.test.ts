// A task is cancelled, expires or is deleted in each state that it can be in, with the worker that runs it and another.

import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { deleteTask, followTask, listQuestions, runTask, type TaskRun } from '../../src/index.js'
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { gate, text, toolOf } from '../support/tools.js'
import { turn } from '../support/turns.js'
import { type Tab, type TabOptions, World, type WorldWorker } from '../support/world.js'

const form = { message: '?', requestedSchema: { type: 'object' as const, properties: {} } }
const ttl = 60_000

const unhandled: unknown[] = []
const onunhandled = (reason: unknown): number => unhandled.push(reason)
beforeAll(() => void process.on('unhandledRejection', onunhandled))
afterAll(() => void process.off('unhandledRejection', onunhandled))
afterEach(() => {
  vi.useRealTimers()
})

type Where = 'in its own worker' | 'in another worker'

class Scene {
  readonly signal = gate<AbortSignal>()
  readonly atWork = gate()
  readonly over = gate<string[]>()
  /** The signals of the questions that stand on a screen. */
  readonly screens: AbortSignal[] = []
  readonly shown = gate()
  /** The end is stored. */
  readonly ended = gate()
  readonly heard: string[] = []
  readonly world: World
  readonly worker: WorldWorker
  readonly other: WorldWorker

  constructor(asks: boolean) {
    this.world = new World({ tools: [this.#tool(asks)] })
    this.worker = this.world.worker()
    this.other = this.world.worker()
  }

  /** Asks or works until it is aborted, and then does all that a handler may do, as one does that looks at no signal. */
  #tool(asks: boolean) {
    return toolOf('job', async (_, task) => {
      this.signal.open(task.signal)
      await task.step('first', () => undefined)
      try {
        if (asks) await task.elicit(form)
        this.atWork.open()
        task.signal.throwIfAborted()
        await new Promise((_, reject) => task.signal.addEventListener('abort', () => reject(task.signal.reason)))
      } finally {
        task.progress({ progress: 99 })
        const late = [
          task.status('late'),
          task.notify({ method: 'notifications/message', params: { level: 'info', data: 'late' } }),
          task.step('late', () => 1),
          task.sleep(0, { key: 'late' }),
          task.elicit(form, { key: 'late' })
        ]
        this.over.open((await Promise.allSettled(late)).map(({ status }) => status))
      }
      return text('late')
    })
  }

  tab(worker: WorldWorker, options: TabOptions = {}): Promise<Tab> {
    return this.world.tab({ worker, ...options })
  }

  /** A tab with somebody in front of it, who answers when the returned gate opens. */
  async person(worker: WorldWorker, answer = gate()): Promise<{ tab: Tab; answer: typeof answer }> {
    const tab = await this.tab(worker, {
      onelicit: async (_, __, signal) => {
        this.screens.push(signal)
        this.shown.open()
        await answer.opened
        this.screens.splice(this.screens.indexOf(signal), 1)
        return { action: 'accept', content: {} }
      }
    })
    return { tab, answer }
  }
}

/** Brings a task into its state; whoever waits there follows it as well. */
type Arrange = (scene: Scene) => Promise<TaskRun[]>

const start = ({ client }: Tab): Promise<TaskRun> => runTask(client, { name: 'job' }, { ttl })

/** Keeps a wait open, so that the question comes to this tab. */
const follow = (run: TaskRun): void => void run.result().catch(() => undefined)

const states: [state: string, asks: boolean, arrange: Arrange][] = [
  [
    'its question is queued',
    true,
    async (scene) => {
      const { tab } = await scene.person(scene.worker)
      const run = await start(tab)
      await scene.signal.opened
      const waiting = await scene.tab(scene.worker)
      await expect.poll(() => listQuestions(tab.client)).toHaveLength(1)
      return [await followTask(waiting.client, run.taskId)]
    }
  ],
  [
    'its question is on a screen',
    true,
    async (scene) => {
      const { tab } = await scene.person(scene.worker)
      const run = await start(tab)
      follow(run)
      await scene.shown.opened
      return [run]
    }
  ],
  [
    'its answer is stored and not yet taken',
    true,
    async (scene) => {
      const { tab, answer } = await scene.person(scene.worker)
      const run = await start(tab)
      follow(run)
      await scene.shown.opened
      const stored = gate()
      // Whoever asked is told of the answer after this, and finds the end at the same time.
      scene.worker.onpoint((point) => {
        if (point !== 'committed:answer') return undefined
        stored.open()
        return scene.ended.opened
      })
      answer.open()
      await stored.opened
      return [run]
    }
  ],
  [
    'it is between two steps',
    false,
    async (scene) => {
      const run = await start(await scene.tab(scene.worker))
      await scene.atWork.opened
      return [run]
    }
  ]
]

interface End {
  act(tab: Tab, taskId: string): Promise<unknown>
  /** What everybody who waits is told. */
  told: unknown
  status?: string
}

const ends: [end: string, End][] = [
  [
    'is cancelled',
    {
      act: ({ client }, taskId) => client.request({ method: 'tasks/cancel', params: { taskId } }, ResultSchema),
      told: { isError: true, ...text('Task was cancelled') },
      status: 'cancelled'
    }
  ],
  [
    'expires',
    {
      act({ client }, taskId) {
        vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ttl + 1 })
        return client.request({ method: 'tasks/get', params: { taskId } }, ResultSchema)
      },
      told: { isError: true, ...text(`Expired: the task ran longer than its ttl of ${ttl} ms`) },
      status: 'failed'
    }
  ],
  ['is deleted', { act: ({ client }, taskId) => deleteTask(client, taskId), told: -32602 }]
]

const wheres: Where[] = ['in its own worker', 'in another worker']
const cases = states.flatMap(([state, asks, arrange]) =>
  ends.flatMap(([end, how]) => wheres.map((where) => [end, where, state, { asks, arrange, ...how }] as const))
)

describe('a task that', () => {
  test.each(cases)('%s %s while %s stops, and all hear the same', async (_, where, __, { asks, arrange, ...end }) => {
    const scene = new Scene(asks)
    const [run, ...more] = await arrange(scene)
    const { taskId = '' } = run ?? {}
    const far = await scene.tab(where === 'in another worker' ? scene.other : scene.worker)
    far.client.fallbackNotificationHandler = async ({ method, params }) => {
      if (params?.taskId === taskId) scene.heard.push(`${method} ${String(params.status)}`)
    }
    const waits = [run, ...more, await followTask(far.client, taskId), await followTask(far.client, taskId)]
    const results = waits.map((wait) => wait?.result())
    const signal = await scene.signal.opened

    await end.act(far, taskId)
    scene.ended.open()

    // Everybody who waits, here and there.
    for (const result of results) {
      const told = await result?.catch((error: { code: number }) => error.code)
      if (typeof end.told === 'number') expect(told).toBe(end.told)
      else expect(told).toMatchObject(end.told as object)
    }
    // The handler, and what it asked.
    const quietly = 'fulfilled'
    expect(await scene.over.opened).toEqual([quietly, quietly, 'rejected', 'rejected', 'rejected'])
    expect(signal.reason).toMatchObject({ code: expect.stringMatching(/^(aborted|superseded)$/) })
    await vi.waitFor(() => expect(scene.screens.every(({ aborted }) => aborted)).toBe(true))
    expect(await listQuestions(far.client)).toEqual([])
    // What it did after its end has changed nothing.
    for (let i = 0; i < 40; i++) await turn()
    const get = far.client.request({ method: 'tasks/get', params: { taskId } }, ResultSchema)
    if (end.status === undefined) await expect(get).rejects.toMatchObject({ code: -32602 })
    else {
      expect(await get).toMatchObject({ status: end.status, statusMessage: expect.not.stringContaining('late') })
      expect(scene.heard.at(-1)).toBe(`notifications/tasks/status ${end.status}`)
    }
    for (const worker of [scene.worker, scene.other]) expect(worker.eventsOf('error')).toEqual([])
    expect(unhandled).toEqual([])
  })
})
