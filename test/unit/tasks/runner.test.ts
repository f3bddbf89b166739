import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { IntabError } from '../../../src/errors.js'
import { Runner } from '../../../src/tasks/runner.js'
import type { TaskStore } from '../../../src/types.js'
import { newTask, openEngine } from '../../support/engine.js'
import { gate, text, toolOf } from '../../support/tools.js'
import { turn } from '../../support/turns.js'

afterEach(() => void vi.useRealTimers())

const busy = (): Error => new IntabError('storage_busy', 'The database did not answer within 10000 ms: try again')
const full = (): Error => new IntabError('quota', 'The storage of this site is full', { usage: 9, quota: 9 })

/** A runner whose `finish` goes through `finish`, and the time that passes while it waits. */
async function running(finish: (next: TaskStore['finish']) => TaskStore['finish']) {
  const engine = await openEngine()
  const { task } = await newTask(engine, { ttl: null })
  const errors: [code: unknown, during: string][] = []
  const finished: string[] = []
  const tasks = { ...engine.tasks, finish: vi.fn(finish(engine.tasks.finish)) }
  const onerror = (error: Error & { code?: unknown }, during: string): number =>
    errors.push([error.code ?? error.message, during])
  const runner = new Runner({ ...engine, tasks, onerror }, ({ status }) => finished.push(status))
  onTestFinished(() => runner.stop(new IntabError('closed', 'The test is over')))
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  const outcome = async (): Promise<unknown> => {
    const look = await engine.messages.claim(task.taskId, task.owner, { connection: 'c', can: [] }, 0)
    return look && { status: look.task.status, statusMessage: look.task.statusMessage, outcome: look.outcome }
  }
  const remove = () => engine.tasks.remove(task.owner, task.taskId)
  /** In steps, so that what reads and writes meanwhile is done long before its own deadline. */
  const pass = async (ms: number): Promise<void> => {
    for (let rest = ms; rest >= 0; rest -= 1000) {
      for (let i = 0; i < 12; i += 1) await turn()
      await vi.advanceTimersByTimeAsync(Math.min(rest, 1000))
    }
    for (let i = 0; i < 12; i += 1) await turn()
  }
  return { ...engine, task, tasks, runner, errors, finished, outcome, pass, remove }
}

const call = { arguments: {} }

const failing =
  (times: number, error: () => Error) =>
  (next: TaskStore['finish']): TaskStore['finish'] =>
  (...args) =>
    times-- > 0 ? Promise.reject(error()) : next(...args)

describe('the end of a handler', () => {
  const throwing = toolOf('work', () => {
    throw new Error('no such row')
  })
  const kinds = [
    [
      'what it returned',
      toolOf('work', () => text('a receipt')),
      { status: 'completed', outcome: { result: text('a receipt') } }
    ],
    ['what it threw', throwing, { status: 'failed', statusMessage: 'no such row' }]
  ] as const

  test.each(kinds)(
    'is %s, however often and however the store fails first, and it is told once',
    async (_, tool, end) => {
      for (const error of [busy, full, () => new DOMException('Connection lost', 'UnknownError')]) {
        const run = await running(failing(20, error))
        run.runner.start(run.task, tool, call)
        for (let minutes = 0; run.finished.length === 0 && minutes < 10; minutes += 1) await run.pass(60_000)
        expect(run.finished).toEqual([end.status])
        expect(await run.outcome()).toMatchObject(end)
        expect(run.errors).toHaveLength(1)
        vi.useRealTimers()
      }
    }
  )

  test('that waits for room says so, and then the task has the message that it had before', async () => {
    let room = false
    const run = await running(
      (next) =>
        (...args) =>
          room ? next(...args) : Promise.reject(full())
    )
    const tool = toolOf('work', async (_args, task) => (await task.status('40 rows'), text('done')))
    run.runner.start(run.task, tool, call)
    await run.pass(60_000)
    expect(await run.outcome()).toMatchObject({
      status: 'working',
      statusMessage: expect.stringContaining('The result is ready, but the storage of this site is full')
    })
    expect(run.errors).toEqual([['quota', `storing the end of ${run.task.taskId}, which is tried again`]])
    room = true
    await run.pass(10_000)
    expect(await run.outcome()).toEqual({
      status: 'completed',
      statusMessage: '40 rows',
      outcome: { result: text('done') }
    })
  })

  test('that can never be stored becomes the error that says so, and that is tried again, too', async () => {
    const run = await running(failing(3, busy))
    const tool = toolOf('work', () => ({ ...text('done'), when: 1n }) as never)
    run.runner.start(run.task, tool, call)
    await run.pass(60_000)
    expect(run.finished).toEqual(['failed'])
    expect(await run.outcome()).toMatchObject({ statusMessage: expect.stringContaining('when') })
  })

  test('is not tried again when somebody else has ended the task, and nobody hears of it twice', async () => {
    const run = await running(failing(3, busy))
    run.runner.start(
      run.task,
      toolOf('work', () => text('late')),
      call
    )
    await run.pass(0)
    await run.remove()
    await run.pass(60_000)
    expect(run.finished).toEqual([])
    expect(run.runner.size).toBe(0)
  })

  test('is not tried again once the server closes', async () => {
    const run = await running(failing(Infinity, busy))
    run.runner.start(
      run.task,
      toolOf('work', () => text('late')),
      call
    )
    await run.pass(1000)
    run.runner.stop(new IntabError('closed', 'The server was closed'))
    const tries = run.tasks.finish.mock.calls.length
    await run.pass(60_000)
    expect(run.tasks.finish.mock.calls.length).toBe(tries)
  })
})

test('a handler that heeds no signal keeps no place once its task has ended', async () => {
  const { runner, tasks, task } = await running((next) => next)
  const started = gate()
  runner.start(
    task,
    toolOf('hang', () => (started.open(), new Promise(() => undefined))),
    call
  )
  await started.opened
  const end = { status: 'cancelled' as const, outcome: { result: {} } }
  runner.observe(task.taskId, await tasks.finish({ taskId: task.taskId }, end))
  expect(runner.size).toBe(0)
})
