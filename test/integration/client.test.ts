// What an app calls in its tab: each function, with what it promises.

import { describe, expect, test, vi } from 'vitest'
import { followTask, listTasks, runTask, type TaskInfo, watchTasks } from '../../src/index.js'
import { confirmDelete, gate, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'
import { RpcError } from '../../src/errors.js'

const unanswered = () => new Promise<never>(() => undefined)
const endless = toolOf('endless', unanswered)
const quick = toolOf('quick', () => text('done'))

describe('runTask', () => {
  test('resolves once the task is stored, with the ttl that was granted', async () => {
    const { client } = await new World({ tools: [endless], ttl: { max: 5_000 } }).tab()
    const run = await runTask(client, { name: 'endless' }, { ttl: 60_000 })
    expect(run.task).toMatchObject({ taskId: run.taskId, status: 'working', ttl: 5_000 })
    expect((await listTasks(client)).tasks.map(({ taskId }) => taskId)).toEqual([run.taskId])
  })

  test('rejects with the server’s error when no task was made', async () => {
    const { client } = await new World({ tools: [confirmDelete] }).tab()
    await expect(runTask(client, { name: 'nothing' })).rejects.toMatchObject({ code: -32602 })
    await expect(runTask(client, { name: 'confirm_delete', arguments: { filename: 1 } })).rejects.toMatchObject({
      code: -32602
    })
    expect((await listTasks(client)).tasks).toEqual([])
  })

  test('takes what the call carries for the tool beside its arguments, also with progress', async () => {
    const shows = toolOf('shows', (_, task) => text(JSON.stringify(task.meta)))
    const { client } = await new World({ tools: [shows] }).tab()
    const call = { name: 'shows', _meta: { 'example.com/thread': 'a' } }
    const run = await runTask(client, call, { onprogress: () => undefined })
    expect(await run.result()).toMatchObject(text('{"example.com/thread":"a"}'))
  })

  test('tells of progress for as long as the task runs', async () => {
    const reports = [gate(), gate()]
    const tool = toolOf('counts', async (_, task) => {
      for (const [i, report] of reports.entries()) {
        await report.opened
        task.progress({ progress: i + 1, total: 2 })
      }
      return text('counted')
    })
    const { client } = await new World({ tools: [tool] }).tab()
    const seen: number[] = []
    const run = await runTask(client, { name: 'counts' }, { onprogress: ({ progress }) => seen.push(progress) })
    for (const [i, report] of reports.entries()) {
      report.open()
      await vi.waitFor(() => expect(seen.at(-1)).toBe(i + 1))
    }
    await run.result()
    expect(seen).toEqual([1, 2])
  })

  test('cancels the task when its signal aborts, and calls nothing when it has aborted before', async () => {
    const { client } = await new World({ tools: [endless] }).tab()
    const controller = new AbortController()
    const run = await runTask(client, { name: 'endless' }, { signal: controller.signal })
    controller.abort()
    expect(await run.result()).toMatchObject({ isError: true })
    expect(run.task.status).toBe('cancelled')
    await expect(runTask(client, { name: 'endless' }, { signal: controller.signal })).rejects.toThrow(/abort/)
    expect((await listTasks(client)).tasks).toHaveLength(1)
  })
})

describe('followTask', () => {
  test('stops following when its signal aborts, and leaves the task alone', async () => {
    const { client } = await new World({ tools: [endless] }).tab()
    const { taskId } = await runTask(client, { name: 'endless' })
    const leaving = new AbortController()
    const run = await followTask(client, taskId, { signal: leaving.signal })
    const states: string[] = []
    const iterating = (async () => {
      for await (const { status } of run) states.push(status)
    })()
    const result = run.result()
    const reason = new Error('unmounted')
    leaving.abort(reason)
    await expect(result).rejects.toBe(reason)
    await expect(iterating).rejects.toBe(reason)
    expect(states).toEqual(['working'])
    expect((await followTask(client, taskId)).task.status).toBe('working')
    await expect(followTask(client, taskId, leaving)).rejects.toBe(reason)
  })

  test('tells of progress, from what it is by now to the end, and then no more', async () => {
    const [first, second, end] = [gate(), gate(), gate()]
    const counts = toolOf('counts', async (_, task) => {
      await first.opened
      task.progress({ progress: 1, total: 3 })
      await second.opened
      task.progress({ progress: 2, total: 3 })
      await end.opened
      return text('done')
    })
    const world = new World({ tools: [counts] })
    const [{ client }, other] = [await world.tab(), await world.tab()]
    const { taskId } = await runTask(client, { name: 'counts' })
    first.open()
    await vi.waitFor(async () => expect((await followTask(client, taskId)).task.progress?.progress).toBe(1))
    const seen: unknown[] = []
    const run = await followTask(other.client, taskId, { onprogress: (progress) => seen.push(progress) })
    expect(seen).toEqual([{ progress: 1, total: 3 }])
    second.open()
    await vi.waitFor(() => expect(seen).toEqual([1, 2].map((progress) => ({ progress, total: 3 }))))
    end.open()
    await run.result()
    expect(seen).toHaveLength(2)
  })
})

describe('TaskRun', () => {
  test('goes through the states that the tab hears of, each once, in order, and ends', async () => {
    const steps = [gate(), gate()]
    const tool = toolOf('steps', async (_, task) => {
      for (const [i, step] of steps.entries()) {
        await step.opened
        await task.status(`step ${String(i)}`)
      }
      return text('done')
    })
    const { client } = await new World({ tools: [tool] }).tab()
    const run = await runTask(client, { name: 'steps' })
    const seen: TaskInfo[] = []
    for await (const task of run) {
      seen.push(task)
      steps[seen.length - 1]?.open()
    }
    expect(seen.map(({ statusMessage }) => statusMessage).slice(0, 3)).toEqual([undefined, 'step 0', 'step 1'])
    expect(seen.at(-1)?.status).toBe('completed')
    const revisions = seen.map(({ revision }) => revision ?? 0)
    expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b))
  })

  test('has one result however often it is asked for, and states for whoever comes late', async () => {
    const { client } = await new World({ tools: [quick] }).tab()
    const run = await runTask(client, { name: 'quick' })
    expect(run.result()).toBe(run.result())
    expect(await run.result()).toMatchObject(text('done'))
    const late: string[] = []
    for await (const task of run) late.push(task.status)
    expect(late).toEqual(['completed'])
  })

  test('rejects with the code and the data that the tool threw', async () => {
    const tool = toolOf('throws', () => {
      throw new RpcError(-32002, 'no such file', { path: 'a.txt' })
    })
    const { client } = await new World({ tools: [tool] }).tab()
    const run = await runTask(client, { name: 'throws' })
    await expect(run.result()).rejects.toMatchObject({ code: -32002, data: { path: 'a.txt' } })
    expect(run.task.status).toBe('failed')
  })

  test('cancel resolves with the cancelled task, and rejects when it is final', async () => {
    const { client } = await new World({ tools: [endless] }).tab()
    const run = await runTask(client, { name: 'endless' })
    expect(await run.cancel()).toMatchObject({ taskId: run.taskId, status: 'cancelled' })
    await expect(run.cancel()).rejects.toMatchObject({ code: -32602 })
  })
})

describe('followTask', () => {
  test('F7 finds a task of before, in another tab, whatever its state', async () => {
    const world = new World({ tools: [quick, endless] })
    const a = await world.tab()
    const [done, open] = [await runTask(a.client, { name: 'quick' }), await runTask(a.client, { name: 'endless' })]
    await done.result()
    await a.close()
    const b = await world.tab()
    expect(await (await followTask(b.client, done.taskId)).result()).toMatchObject(text('done'))
    expect((await followTask(b.client, open.taskId)).task.status).toBe('working')
    await expect(followTask(b.client, crypto.randomUUID())).rejects.toMatchObject({ code: -32602 })
  })
})

describe('listTasks', () => {
  test('pages in either order through the tasks of some statuses', async () => {
    const { client } = await new World({ tools: [quick, endless], limits: { page: 2 } }).tab()
    const ids: string[] = []
    for (const name of ['quick', 'endless', 'quick', 'endless', 'quick']) {
      const run = await runTask(client, { name })
      if (name === 'quick') await run.result()
      ids.push(run.taskId)
    }
    const all = async (query: Parameters<typeof listTasks>[1]): Promise<string[]> => {
      const { tasks, nextCursor } = await listTasks(client, query)
      const found = tasks.map(({ taskId }) => taskId)
      expect(found.length).toBeLessThanOrEqual(2)
      return nextCursor === undefined ? found : [...found, ...(await all({ ...query, cursor: nextCursor }))]
    }
    expect(await all({})).toEqual(ids)
    expect(await all({ order: 'newest' })).toEqual([...ids].reverse())
    expect(await all({ status: ['working'] })).toEqual([ids[1], ids[3]])
    expect(await all({ order: 'newest', status: ['completed', 'failed'] })).toEqual([ids[4], ids[2], ids[0]])
    await expect(listTasks(client, { cursor: 'mine' })).rejects.toMatchObject({ code: -32602 })
  })
})

describe('watchTasks', () => {
  test('tells every listener, whatever one of them throws; the client hears of that, and the worker of nothing', async () => {
    const world = new World({ tools: [quick] })
    const worker = world.worker()
    const { client } = await world.tab()
    const errors: unknown[] = []
    client.onerror = ({ message }) => errors.push(message)
    const seen: string[] = []
    await watchTasks(client, {
      ontask() {
        throw new Error('a fault of the app')
      }
    })
    await watchTasks(client, { ontask: ({ status }) => seen.push(status) })
    await (await runTask(client, { name: 'quick' })).result()
    expect(seen.at(-1)).toBe('completed')
    expect(errors).toContain('a fault of the app')
    expect(worker.eventsOf('error')).toEqual([])
  })
})
