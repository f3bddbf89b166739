// Two workers alive at once on one database: an old build beside a new one, or one dedicated worker per tab.

import { openDB } from 'idb'
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, test } from 'vitest'
import { followTask, listTasks, runTask } from '../../src/index.js'
import { rawTab } from '../support/raw-tab.js'
import { confirmDelete, gate, text, toolOf } from '../support/tools.js'
import { turn } from '../support/turns.js'
import { World } from '../support/world.js'

const resume = { onInterrupt: 'resume', taskSupport: 'required' } as const
const yes = { action: 'accept' as const, content: { confirm: true } }

describe('two workers on one database', () => {
  const twoOf = async (tools: Parameters<typeof toolOf>[1] | undefined, options = {}) => {
    const world = new World({ tools: [confirmDelete, ...(tools ? [toolOf('work', tools, resume)] : [])], ...options })
    const one = world.worker()
    await one.server.ready
    const two = world.worker()
    await two.server.ready
    return { world, one, two }
  }

  test('F8 wake-ups, questions and answers cross: the task runs in one, its question and its result come in the other', async () => {
    const { world, one, two } = await twoOf(undefined)
    const a = await world.tab({ worker: one })
    let asked = 0
    const b = await world.tab({ worker: two, onelicit: () => (asked++, yes) })
    const c = await world.tab({ worker: one, capabilities: { elicitation: { form: {} } } })
    const { taskId } = await runTask(c.client, { name: 'confirm_delete', arguments: { filename: 'x' } })
    await c.close()
    const [here, there] = await Promise.all([
      followTask(a.client, taskId).then((run) => run.result()),
      followTask(b.client, taskId).then((run) => run.result())
    ])
    expect(here).toMatchObject(text('Deleted x'))
    expect(there).toMatchObject(text('Deleted x'))
    expect(asked).toBe(1)
  })

  test('tasks/cancel in one stops the handler that runs in the other', async () => {
    const stopped = gate<unknown>()
    const { world, one, two } = await twoOf((_, task) => {
      task.signal.addEventListener('abort', () => stopped.open(task.signal.reason))
      return new Promise(() => undefined)
    })
    const a = await world.tab({ worker: one })
    const b = await world.tab({ worker: two })
    const { taskId } = await runTask(a.client, { name: 'work' })
    await (await followTask(b.client, taskId)).cancel()
    expect(await stopped.opened).toMatchObject({ code: 'aborted' })
  })

  test('F18 the living one takes over the task of the dead one, and only one of two does', async () => {
    const runs: number[] = []
    const working = gate()
    const { world, one, two } = await twoOf(async (_, task) => {
      runs.push(task.attempt)
      working.open()
      if (task.attempt === 1) return new Promise(() => undefined)
      return text('taken over')
    })
    const three = world.worker()
    await three.server.ready
    const a = await world.tab({ worker: one })
    const b = await world.tab({ worker: two })
    const { taskId } = await runTask(a.client, { name: 'work' })
    await working.opened
    const result = (await followTask(b.client, taskId)).result()
    one.kill()
    expect(await result).toMatchObject(text('taken over'))
    expect(runs).toEqual([1, 2])
    expect(two.eventsOf('recovered').length + three.eventsOf('recovered').length).toBe(1)
  })

  test('a worker that dies between its commit and its announcement leaves nobody waiting', async () => {
    const { world, one, two } = await twoOf(() => text('committed, not announced'))
    one.onpoint((point) => {
      if (point === 'committed:finish') one.kill()
    })
    const a = await world.tab({ worker: one })
    const b = await world.tab({ worker: two })
    const { taskId } = await runTask(a.client, { name: 'work' })
    const result = await (await followTask(b.client, taskId)).result()
    expect(result).toMatchObject(text('committed, not announced'))
  })

  test('F61 a frozen worker that comes back is fenced off: it writes nothing, and its handler is told', async () => {
    const frozen = gate()
    const reached = gate()
    const fenced = gate<unknown>()
    const { world, one, two } = await twoOf(async (_, task) => {
      if (task.attempt > 1) return text('by the second')
      task.signal.addEventListener('abort', () => fenced.open(task.signal.reason))
      reached.open()
      await frozen.opened
      await task.status('I am back')
      return text('by the first')
    })
    const a = await world.tab({ worker: one })
    const b = await world.tab({ worker: two })
    const { taskId } = await runTask(a.client, { name: 'work' })
    await reached.opened
    const result = (await followTask(b.client, taskId)).result()
    one.loseLocks()
    expect(await result).toMatchObject(text('by the second'))
    frozen.open()
    expect(await fenced.opened).toMatchObject({ code: 'superseded' })
    const task = await b.client.request({ method: 'tasks/get', params: { taskId } }, ResultSchema)
    expect(task).toMatchObject({ status: 'completed' })
    expect(task.statusMessage).not.toBe('I am back')
  })

  test('a question that a worker stored and died before it told of is asked by the one that takes over', async () => {
    const go = gate()
    const asked = gate()
    const ask = { message: 'Go on?', requestedSchema: { type: 'object' as const, properties: {} } }
    const { world, one, two } = await twoOf(
      async (_, task) => {
        await go.opened
        return text((await task.elicit(ask)).action)
      },
      { deliveryGrace: 20 }
    )
    one.onpoint((point) => (point === 'committed:ask' ? one.kill() : undefined))
    const a = await world.tab({ worker: one, capabilities: { elicitation: { form: {} } } })
    await world.tab({ worker: two, onelicit: () => (asked.open(), yes) })
    await runTask(a.client, { name: 'work' })
    await a.close()
    // What the other hears of the creation is over.
    for (let i = 0; i < 60; i++) await turn()
    go.open()
    await expect(asked.opened).resolves.toBeUndefined()
  })

  test('a call that a frozen worker has not begun does not run again when its task came and went meanwhile', async () => {
    const frozen = gate()
    const reached = gate()
    let runs = 0
    const { world, two } = await twoOf(() => text(String(++runs)))
    two.onpoint((point) => {
      if (point !== 'before:create') return undefined
      reached.open()
      return frozen.opened
    })
    const raw = await rawTab(world)
    const created = raw.create('work')
    await reached.opened
    world.worker()
    two.loseLocks()
    const { taskId } = await created
    await raw.result(taskId)
    await raw.ok('intab/tasks/delete', { taskId })
    frozen.open()
    await raw.quiet()
    expect(runs).toBe(1)
  })

  test('F66 a schema upgrade supersedes the old worker: it gives up its tasks, and its tabs are told', async () => {
    const world = new World({
      tools: [
        toolOf('work', (_, task) => (task.attempt === 1 ? new Promise(() => undefined) : text('resumed')), resume)
      ]
    })
    const a = await world.tab()
    const states: string[] = []
    a.transport.onstatechange = (state) => states.push(state)
    const run = await runTask(a.client, { name: 'work' })
    const result = run.result()
    const newer = await openDB(world.name, 999)
    await expect(result).rejects.toMatchObject({ code: -31031, data: { code: 'superseded', taskId: run.taskId } })
    expect(states).toEqual(['superseded'])
    await expect(listTasks(a.client)).rejects.toMatchObject({ data: { code: 'superseded' } })
    const row = (await newer.get('tasks', run.taskId)) as { executor: string; status: string }
    expect(row).toMatchObject({ executor: '', status: 'working' })
    newer.close()
  })

  test('a task that a worker gave up is taken by another that lives', async () => {
    const working = gate()
    const { world, one, two } = await twoOf((_, task) => {
      working.open()
      return task.attempt === 1 ? new Promise(() => undefined) : text('resumed')
    })
    const a = await world.tab({ worker: one })
    const b = await world.tab({ worker: two })
    const { taskId } = await runTask(a.client, { name: 'work' })
    await working.opened
    const result = (await followTask(b.client, taskId)).result()
    one.server.close()
    expect(await result).toMatchObject(text('resumed'))
  })
})
