// How a task tool's run ends on a plain server of the SDK's when others end it.

import { describe, expect, it, vi } from 'vitest'
import type { TaskContext } from '../../../src/tasks/task-context.js'
import { gate, text, toolOf } from '../../support/tools.js'
import { ask, callAsTask, fast, kinds, wire } from './wire.js'

describe.each(kinds)('the run of a task tool on a server of the SDK’s, %s', (_kind, stores) => {
  it('E16 cancelled, its signal aborts, its question rejects, and its late end is nobody’s error', async () => {
    const reasons: unknown[] = []
    let context: TaskContext | undefined
    const tool = toolOf(
      'clear',
      async (_args, task) => {
        context = task
        await task.elicit(ask).catch((error: unknown) => reasons.push(error))
        await task.status('late')
        return text('late')
      },
      fast
    )
    const { store, queue } = stores()
    const { client, errors } = await wire({ store, queue, tools: [tool], onelicit: () => ({ action: 'accept' }) })
    const { taskId } = await callAsTask(client, 'clear')
    await vi.waitFor(async () => expect(await store.getTask(taskId)).toMatchObject({ status: 'input_required' }))
    await client.experimental.tasks.cancelTask(taskId)
    await vi.waitFor(() => expect(context?.signal.aborted).toBe(true))
    await vi.waitFor(() => expect(reasons).toMatchObject([{ code: 'aborted' }]))
    expect(await store.getTask(taskId)).toMatchObject({
      status: 'cancelled',
      statusMessage: expect.any(String) as unknown
    })
    // The SDK remarks on its own cleanup when the run hears of the cancel before the queue is cleared.
    const remark = /^Response handler missing for side-channeled request/
    expect(errors.filter(({ message }) => !remark.test(message))).toEqual([])
  })

  it('cancelled behind its back, as by another process, it is told at the next look', async () => {
    const aborted = gate<unknown>()
    const tool = toolOf(
      'wait',
      async (_args, task) => {
        task.signal.addEventListener('abort', () => aborted.open(task.signal.reason))
        await aborted.opened
        return text('late')
      },
      fast
    )
    const { store, queue } = stores()
    const { client } = await wire({ store, queue, tools: [tool] })
    const { taskId } = await callAsTask(client, 'wait')
    await store.updateTaskStatus(taskId, 'cancelled')
    expect(await aborted.opened).toMatchObject({ code: 'aborted' })
  })

  it('E16 what it writes after an end of which nobody told it changes nothing, and tells it', async () => {
    const go = gate()
    const told = gate<boolean>()
    const tool = toolOf(
      'pack',
      async (_args, task) => {
        await go.opened
        await task.status('late')
        told.open(task.signal.aborted)
        return text('late')
      },
      { pollInterval: 60_000 }
    )
    const { store, queue } = stores()
    const { client, errors } = await wire({ store, queue, tools: [tool] })
    const { taskId } = await callAsTask(client, 'pack')
    await store.updateTaskStatus(taskId, 'cancelled', 'enough')
    go.open()
    expect(await told.opened).toBe(true)
    expect(await store.getTask(taskId)).toMatchObject({ status: 'cancelled', statusMessage: 'enough' })
    expect(errors).toEqual([])
  })

  it('A4 goes on when its client is gone, and its end is stored', async () => {
    const go = gate()
    const tool = toolOf(
      'pack',
      async (_args, task) => {
        await go.opened
        await task.notify({ method: 'notifications/message', params: { level: 'info', data: 'note' } })
        await task.status('packed')
        return text('done')
      },
      fast
    )
    const { store, queue } = stores()
    const { client, errors } = await wire({ store, queue, tools: [tool] })
    const { taskId } = await callAsTask(client, 'pack')
    await client.close()
    go.open()
    await vi.waitFor(async () => expect(await store.getTask(taskId)).toMatchObject({ status: 'completed' }))
    expect(await store.getTaskResult(taskId)).toEqual(text('done'))
    expect(await queue.dequeue(taskId)).toMatchObject({ type: 'notification' })
    expect(errors).toEqual([])
  })
})
