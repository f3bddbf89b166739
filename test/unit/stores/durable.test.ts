// What the SDK's own store and queue cannot do, or do not do.

import type { Task } from '@modelcontextprotocol/sdk/types.js'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { call, create, createMany, request, text } from '../../contract/sdk-stores-harness.js'
import { freshName, openQueue, openStore } from './fixture.js'

afterEach(() => void vi.useRealTimers())

describe('a second instance by the same name', () => {
  it('sees the tasks, their results and their messages: they survive the page', async () => {
    const name = freshName()
    const store = openStore({ name })
    const { taskId } = await create(store, null, 'a')
    await store.storeTaskResult(taskId, 'completed', text('packed'), 'a')
    const open = await create(store)
    await openQueue({ name }).enqueue(open.taskId, request(1))
    store.close()

    const later = openStore({ name })
    expect(await later.getTask(taskId, 'a')).toMatchObject({ status: 'completed' })
    expect(await later.getTask(taskId, 'b')).toBeNull()
    expect(await later.getTaskResult(taskId, 'a')).toEqual(text('packed'))
    expect((await later.listTasks()).tasks.map((task) => task.taskId)).toEqual([taskId, open.taskId])
    expect(await openQueue({ name }).dequeueAll(open.taskId)).toEqual([request(1)])
  })

  it('sees at once what the first wrote; a message leaves once, whoever takes it', async () => {
    const name = freshName()
    const [a, b] = [openStore({ name }), openStore({ name })]
    const { taskId } = await create(a)
    await b.updateTaskStatus(taskId, 'input_required', 'asked')
    expect(await a.getTask(taskId)).toMatchObject({ status: 'input_required', statusMessage: 'asked' })

    const queues = [openQueue({ name }), openQueue({ name })] as const
    for (let n = 0; n < 20; n += 1) await queues[0].enqueue(taskId, request(n))
    const taken = await Promise.all(Array.from({ length: 20 }, (_, n) => queues[n % 2 === 0 ? 0 : 1].dequeue(taskId)))
    expect(new Set(taken.map((message) => message?.timestamp)).size).toBe(20)
  })

  it('F16 of two that end a task at once one is refused, and its result is not kept', async () => {
    const name = freshName()
    const [a, b] = [openStore({ name }), openStore({ name })]
    for (let round = 0; round < 50; round += 1) {
      const { taskId } = await create(a)
      const ends = await Promise.allSettled([
        a.storeTaskResult(taskId, 'completed', text('done')),
        b.updateTaskStatus(taskId, 'cancelled')
      ])
      expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      const done = ends[0].status === 'fulfilled'
      expect(await a.getTask(taskId)).toMatchObject({ status: done ? 'completed' : 'cancelled' })
      expect(await b.getTaskResult(taskId).catch(() => undefined)).toEqual(done ? text('done') : undefined)
    }
  })

  it('two names share nothing', async () => {
    const { taskId } = await create(openStore())
    expect(await openStore().getTask(taskId)).toBeNull()
  })
})

describe('calls that nobody awaits', () => {
  it('take effect in the order in which they were made, from the first on, while the database opens', async () => {
    const store = openStore()
    const created = create(store)
    const empty = openStore()
    const lists = [
      empty.getAllTasks(),
      create(empty),
      empty.getAllTasks(),
      empty.cleanup(),
      empty.getAllTasks()
    ] as const
    const { taskId } = await created
    const calls = await Promise.allSettled([
      store.updateTaskStatus(taskId, 'input_required'),
      store.getTask(taskId),
      store.updateTaskStatus(taskId, 'working', 'answered'),
      store.getTask(taskId),
      store.storeTaskResult(taskId, 'completed', text('done')),
      store.updateTaskStatus(taskId, 'cancelled'),
      store.getTask(taskId)
    ])
    expect(
      calls.map((one) => (one.status === 'fulfilled' ? (one.value as Task | undefined)?.status : 'refused'))
    ).toEqual([undefined, 'input_required', undefined, 'working', undefined, 'refused', 'completed'])
    const sizes = (await Promise.all(lists)).map((value) => (Array.isArray(value) ? value.length : undefined))
    expect(sizes).toEqual([0, undefined, 1, undefined, 0])
  })

  it('take effect although one before them was refused', async () => {
    const store = openStore()
    const refused = store.updateTaskStatus('none', 'working')
    const task = create(store)
    await expect(refused).rejects.toThrow('not found')
    expect(await store.getTask((await task).taskId)).toMatchObject({ status: 'working' })
  })

  it('may be many at once', async () => {
    const store = openStore()
    await Promise.all(Array.from({ length: 500 }, async () => create(store)))
    expect(await store.getAllTasks()).toHaveLength(500)
  })
})

describe('copies', () => {
  it('what is stored is what was given when the call was made', async () => {
    const store = openStore()
    const queue = openQueue()
    const { taskId } = await create(store)
    const result = { content: [{ type: 'text', text: 'first' }] }
    const message = { type: 'notification' as const, message: { jsonrpc: '2.0' as const, method: 'a' }, timestamp: 1 }
    const calls = [store.storeTaskResult(taskId, 'completed', result), queue.enqueue(taskId, message)]
    result.content.push({ type: 'text', text: 'second' })
    message.message.method = 'b'
    await Promise.all(calls)
    expect(await store.getTaskResult(taskId)).toEqual({ content: [{ type: 'text', text: 'first' }] })
    expect(await queue.dequeue(taskId)).toMatchObject({ message: { method: 'a' } })
  })

  it('E12 what is handed out is the caller’s own', async () => {
    const store = openStore()
    const task = await create(store)
    await store.storeTaskResult(task.taskId, 'completed', text('kept'))
    expect(task.status).toBe('working')
    for (const handed of [task, (await store.getTask(task.taskId)) ?? task, (await store.getAllTasks())[0] ?? task]) {
      handed.status = 'failed'
    }
    const result = await store.getTaskResult(task.taskId)
    result.content = []
    expect(await store.getTask(task.taskId)).toMatchObject({ status: 'completed' })
    expect(await store.getTaskResult(task.taskId)).toEqual(text('kept'))
  })

  it('F24 what cannot be copied is refused at once, and changes nothing', async () => {
    const store = openStore()
    const queue = openQueue()
    const { taskId } = await create(store)
    const code = {
      code: 'not_json',
      message: expect.stringMatching(/^The (result|message) cannot be kept: /) as unknown
    }
    await expect(store.storeTaskResult(taskId, 'completed', { onclick: () => 1 })).rejects.toMatchObject(code)
    await expect(queue.enqueue(taskId, { ...request(1), extra: () => 1 } as never)).rejects.toMatchObject(code)
    expect(await store.getTask(taskId)).toMatchObject({ status: 'working' })
    expect(await queue.dequeue(taskId)).toBeUndefined()
  })
})

describe('expiry', () => {
  it('E13 a ttl of 60 days is 60 days: no timer overflows', async () => {
    vi.useFakeTimers()
    const store = openStore()
    const days = 24 * 60 * 60 * 1_000
    const { taskId } = await create(store, 60 * days)
    await vi.advanceTimersByTimeAsync(59 * days)
    expect(await store.getTask(taskId)).toMatchObject({ ttl: 60 * days })
    await vi.advanceTimersByTimeAsync(2 * days)
    expect(await store.getTask(taskId)).toBeNull()
  })

  it('F3 goes on while nobody is here, and leaves no timer behind', async () => {
    vi.useFakeTimers()
    const name = freshName()
    const store = openStore({ name })
    const { taskId } = await create(store, 1_000)
    store.close()
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(0))
    vi.advanceTimersByTime(1_001)
    expect(await openStore({ name }).getTask(taskId)).toBeNull()
  })

  it('E14 a list goes on after its cursor although the task at the end of the page expired', async () => {
    vi.useFakeTimers()
    const store = openStore()
    const ids = await createMany(store, 9)
    await create(store, 1_000)
    ids.push(...(await createMany(store, 3)))
    const { nextCursor } = await store.listTasks()
    vi.advanceTimersByTime(1_001)
    const { tasks } = await store.listTasks(nextCursor)
    expect(tasks.map(({ taskId }) => taskId)).toEqual(ids.slice(9))
  })

  it('a page is full although much before it expired', async () => {
    vi.useFakeTimers()
    const store = openStore()
    for (let n = 0; n < 30; n += 1) await create(store, 1_000)
    const ids = await createMany(store, 11)
    vi.advanceTimersByTime(1_001)
    const first = await store.listTasks()
    expect(first.tasks.map(({ taskId }) => taskId)).toEqual(ids.slice(0, 10))
    expect((await store.listTasks(first.nextCursor)).tasks).toHaveLength(1)
  })

  it('context and request are nobody’s business: they are not stored', async () => {
    const store = openStore()
    const task = await store.createTask({ context: { secret: () => 1 } }, 1, { ...call, params: { secret: () => 1 } })
    expect(await store.getTask(task.taskId)).toEqual(task)
  })
})
