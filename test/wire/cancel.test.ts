import { CancelTaskResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, test } from 'vitest'
import { RpcError } from '../../src/worker.js'
import { forms, rawTab } from '../support/raw-tab.js'
import { confirmDelete, gate, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

const forever = toolOf('forever', () => new Promise(() => undefined))
const ends = [
  toolOf('completes', () => text('done')),
  toolOf('fails', () => ({ ...text('no'), isError: true })),
  toolOf('throws', () => {
    throw new RpcError(-32000, 'no')
  })
]
const cancelledResult = { isError: true, ...text('Task was cancelled') }

describe('tasks/cancel', () => {
  test('SP-056 SP-021 SP-071 4.5 #3 answers with the whole task, cancelled, without related-task', async () => {
    const raw = await rawTab(new World({ tools: [forever] }))
    const { taskId, createdAt } = await raw.create('forever', {}, { ttl: 5000 })
    const cancelled = await raw.ok('tasks/cancel', { taskId })
    expect(CancelTaskResultSchema.safeParse(cancelled).success).toBe(true)
    expect(cancelled).toMatchObject({
      taskId,
      createdAt,
      status: 'cancelled',
      ttl: 5000,
      statusMessage: 'Task was cancelled'
    })
    expect(JSON.stringify(cancelled)).not.toContain('related-task')
    expect(await raw.get(taskId)).toEqual(cancelled)
  })

  test('SP-061 4.5 #10 is -32602 for an unknown task', async () => {
    const raw = await rawTab(new World({ tools: [forever] }))
    expect(await raw.fail('tasks/cancel', { taskId: 'x' })).toEqual({ code: -32602, message: 'Task not found: x' })
  })

  test('SP-057 SP-058 SP-059 SP-081 4.5 #4 is -32602 for a task that ended, and changes nothing', async () => {
    const raw = await rawTab(new World({ tools: ends }))
    for (const [tool, status] of [
      ['completes', 'completed'],
      ['fails', 'failed'],
      ['throws', 'failed']
    ] as const) {
      const { taskId } = await raw.create(tool)
      await raw.ask('tasks/result', { taskId }).response
      const before = await raw.get(taskId)
      expect(await raw.fail('tasks/cancel', { taskId })).toEqual({
        code: -32602,
        message: `Cannot cancel task in terminal status: ${status}`
      })
      expect(await raw.get(taskId)).toEqual(before)
    }
  })

  test('SP-060 SP-028 is -32602 the second time, and of two at once exactly one succeeds', async () => {
    const raw = await rawTab(new World({ tools: [forever] }))
    const { taskId } = await raw.create('forever')
    const both = await Promise.all([1, 2].map(() => raw.ask('tasks/cancel', { taskId }).response))
    expect(both.filter(({ result }) => result?.status === 'cancelled')).toHaveLength(1)
    const error = { code: -32602, message: 'Cannot cancel task in terminal status: cancelled' }
    expect(both.flatMap((response) => response.error ?? [])).toEqual([error])
    expect(await raw.fail('tasks/cancel', { taskId })).toEqual(error)
  })

  test('E7 F16 is -32602 when the task ends between its look and its write, and the outcome stays', async () => {
    const [end, held, reached] = [gate(), gate(), gate()]
    const slow = toolOf('slow', async () => {
      await end.opened
      return text('done')
    })
    const world = new World({ tools: [slow] })
    const worker = world.worker()
    const raw = await rawTab(world)
    let finishes = 0
    worker.onpoint((point) => {
      if (point !== 'before:finish' || ++finishes !== 1) return undefined
      reached.open()
      return held.opened
    })
    const { taskId } = await raw.create('slow')
    const refused = raw.fail('tasks/cancel', { taskId })
    await reached.opened
    end.open()
    expect(await raw.result(taskId)).toMatchObject(text('done'))
    held.open()
    expect(await refused).toEqual({ code: -32602, message: 'Cannot cancel task in terminal status: completed' })
    expect(await raw.result(taskId)).toMatchObject(text('done'))
  })

  test('N7 SP-025 N23 E16 F4 work that ends after it changes nothing: status, message, result and time stay', async () => {
    const end = gate()
    const tool = toolOf('late', async (_, task) => {
      await end.opened
      await task.status('Still here').catch(() => undefined)
      task.progress({ progress: 1 })
      return text('late')
    })
    const world = new World({ tools: [tool] })
    const worker = world.worker()
    const raw = await rawTab(world)
    const { taskId } = await raw.create('late')
    const cancelled = await raw.ok('tasks/cancel', { taskId })
    end.open()
    await raw.quiet()
    expect(await raw.get(taskId)).toEqual(cancelled)
    expect(await raw.result(taskId)).toMatchObject(cancelledResult)
    expect(worker.eventsOf('error')).toEqual([])
  })

  test('CX-05 SC-02 F4 aborts the signal of the handler, which can clean up', async () => {
    const stopped = gate<unknown>()
    const tool = toolOf('clean', (_, task) => {
      expect(task.signal.aborted).toBe(false)
      task.signal.addEventListener('abort', () => stopped.open(task.signal.reason))
      return new Promise(() => undefined)
    })
    const raw = await rawTab(new World({ tools: [tool] }))
    const { taskId } = await raw.create('clean')
    await raw.ok('tasks/cancel', { taskId })
    expect(await stopped.opened).toMatchObject({ code: 'aborted', message: 'Task was cancelled' })
  })

  test('N6 B6 E1 F5 takes the question off the screen, rejects whoever asked, answers whoever waits; a late answer is nothing', async () => {
    const asked = gate<unknown>()
    const tool = toolOf('ask', async (_, task) => {
      const question = task.elicit({ message: '?', requestedSchema: { type: 'object', properties: {} } })
      question.catch((error: unknown) => asked.open(error))
      return text((await question).action)
    })
    const world = new World({ tools: [tool] })
    const worker = world.worker()
    const raw = await rawTab(world, { capabilities: forms })
    const { taskId } = await raw.create('ask')
    const results = [raw.result(taskId), raw.result(taskId)]
    const question = await raw.next('elicitation/create')
    expect(await raw.ok('tasks/cancel', { taskId })).toMatchObject({ status: 'cancelled' })
    expect(await asked.opened).toMatchObject({ code: 'aborted' })
    const [one, two] = await Promise.all(results)
    expect(one).toMatchObject(cancelledResult)
    expect(two).toEqual(one)
    const { params } = await raw.next('notifications/cancelled')
    expect(params).toMatchObject({ requestId: question.id })
    await raw.answer(question, { result: { action: 'accept', content: {} } }).catch(() => undefined)
    await raw.quiet()
    expect(await raw.ok('intab/questions/list')).toEqual({ questions: [] })
    expect((await raw.get(taskId)).status).toBe('cancelled')
    expect(worker.eventsOf('error')).toEqual([])
    expect((await raw.create('ask')).status).toBe('working')
  })

  test('4.5 #13 before anybody waits drops the questions: none is delivered then, nor later', async () => {
    const world = new World({ tools: [confirmDelete] })
    const raw = await rawTab(world, { capabilities: forms })
    const { taskId } = await raw.create('confirm_delete', { filename: 'a' })
    await expect.poll(async () => (await raw.get(taskId)).status).toBe('input_required')
    await raw.ok('tasks/cancel', { taskId })
    for (let i = 0; i < 2; i++) expect(await raw.result(taskId)).toMatchObject(cancelledResult)
    await raw.quiet()
    expect(raw.heard('elicitation/create')).toEqual([])
  })
})
