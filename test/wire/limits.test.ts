import { afterEach, describe, expect, test, vi } from 'vitest'
import { forms, rawTab } from '../support/raw-tab.js'
import { confirmDelete, gate, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

const forever = toolOf('forever', () => new Promise(() => undefined))
const quick = toolOf('quick', () => text('done'))

afterEach(() => {
  vi.useRealTimers()
})

describe('limits', () => {
  test('SP-099 an owner has so many unfinished tasks: the next call is refused, and nothing is created or run', async () => {
    const ran: string[] = []
    const noted = toolOf('noted', () => {
      ran.push('noted')
      return text('done')
    })
    const raw = await rawTab(new World({ tools: [forever, noted], limits: { unfinished: 2 } }))
    const tasks = [await raw.create('forever'), await raw.create('forever')]
    const error = { code: -31029, data: { code: 'limit_reached', limit: 2 } }
    expect(await raw.fail('tools/call', { name: 'noted', task: {} })).toMatchObject(error)
    expect(await raw.fail('tools/call', { name: 'noted' })).toMatchObject(error)
    expect(await raw.ok('tasks/list')).toMatchObject({ tasks: tasks.map(({ taskId }) => ({ taskId })) })
    expect(ran).toEqual([])
    await raw.ok('tasks/cancel', { taskId: tasks[0]?.taskId })
    expect(await raw.create('noted')).toMatchObject({ status: 'working' })
  })

  test('a connection asks so many times a second about tasks, others are not held up, and the next second is new', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 5_000_000 })
    const world = new World({ tools: [forever], limits: { operations: 3 } })
    const [raw, other] = [await rawTab(world), await rawTab(world)]
    const { taskId } = await raw.create('forever')
    await raw.get(taskId)
    await raw.get(taskId)
    expect(await raw.fail('tasks/get', { taskId })).toMatchObject({
      code: -31029,
      data: { code: 'limit_reached', limit: 3 }
    })
    expect(await raw.ok('ping')).toEqual({})
    expect(await other.get(taskId)).toMatchObject({ taskId })
    vi.setSystemTime(5_001_000)
    expect(await raw.get(taskId)).toMatchObject({ taskId })
  })

  test('a result that is too large fails its task, which says so', async () => {
    const raw = await rawTab(
      new World({ tools: [toolOf('big', () => text('x'.repeat(5000)))], limits: { bytes: 2000 } })
    )
    const { taskId } = await raw.create('big')
    expect(await raw.result(taskId)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('larger than 2000 bytes') }]
    })
  })
})

describe('the ttl of a task', () => {
  test('SP-067 SP-101 counts from its end: then the task is gone for every method', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    const raw = await rawTab(new World({ tools: [quick] }))
    const { taskId } = await raw.create('quick', {}, { ttl: 2000 })
    await raw.result(taskId)
    await vi.advanceTimersByTimeAsync(1900)
    expect(await raw.get(taskId)).toMatchObject({ status: 'completed' })
    await vi.advanceTimersByTimeAsync(200)
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
      expect(await raw.fail(method, { taskId })).toEqual({ code: -32602, message: `Task not found: ${taskId}` })
    }
    expect(await raw.ok('tasks/list')).toMatchObject({ tasks: [] })
  })

  test('N8 B8 C3 F3 that passes while it runs fails it: whoever waits is answered, its question goes, its handler stops', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    const stopped = gate<unknown>()
    const slow = toolOf('slow', (_, task) => {
      task.signal.addEventListener('abort', () => stopped.open(task.signal.reason))
      return task.elicit({ message: '?', requestedSchema: { type: 'object', properties: {} } }).then(() => text('late'))
    })
    const world = new World({ tools: [slow] })
    const worker = world.worker()
    const raw = await rawTab(world, { capabilities: forms })
    const { taskId } = await raw.create('slow', {}, { ttl: 2000 })
    const result = raw.result(taskId)
    const question = await raw.next('elicitation/create')
    await vi.advanceTimersByTimeAsync(2100)
    const expired = 'Expired: the task ran longer than its ttl of 2000 ms'
    expect(await result).toMatchObject({ isError: true, ...text(expired) })
    expect(await raw.get(taskId)).toMatchObject({ status: 'failed', statusMessage: expired })
    expect((await raw.next('notifications/cancelled')).params.requestId).toBe(question.id)
    expect(await stopped.opened).toMatchObject({ code: 'superseded' })
    expect(worker.eventsOf('expired')).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(2100)
    expect(await raw.fail('tasks/get', { taskId })).toMatchObject({ code: -32602 })
    expect(await raw.ok('intab/questions/list')).toEqual({ questions: [] })
    expect(worker.eventsOf('error')).toEqual([])
  })
})

describe('a question that nobody waits for', () => {
  test('F1 is sent after the grace to the session that called, if that only polls', async () => {
    const world = new World({ tools: [confirmDelete], deliveryGrace: 20 })
    const [raw, other] = [await rawTab(world, { capabilities: forms }), await rawTab(world, { capabilities: forms })]
    const { taskId } = await raw.create('confirm_delete', { filename: 'a' })
    const question = await raw.next('elicitation/create')
    await raw.answer(question, { result: { action: 'decline' } })
    await expect.poll(async () => (await raw.get(taskId)).status).toBe('completed')
    await other.quiet()
    expect(other.heard('elicitation/create')).toEqual([])
    expect(raw.heard('elicitation/create')).toHaveLength(1)
  })

  test('is sent after twice the grace to any session that can answer it, when the one that called is gone', async () => {
    const world = new World({ tools: [confirmDelete], deliveryGrace: 20 })
    const [raw, mute, other] = [
      await rawTab(world, { capabilities: forms }),
      await rawTab(world),
      await rawTab(world, { capabilities: forms })
    ]
    const { taskId } = await raw.create('confirm_delete', { filename: 'a' })
    await raw.close()
    await other.answer(await other.next('elicitation/create'), { result: { action: 'decline' } })
    await expect.poll(async () => (await other.get(taskId)).status).toBe('completed')
    expect(mute.heard('elicitation/create')).toEqual([])
  })

  test('is sent to a session that comes later', async () => {
    const world = new World({ tools: [confirmDelete], deliveryGrace: 5 })
    const worker = world.worker()
    const raw = await rawTab(world, { capabilities: forms })
    const { taskId } = await raw.create('confirm_delete', { filename: 'a' })
    await raw.next('elicitation/create')
    await raw.close()
    await expect.poll(() => worker.eventsOf('closed').length).toBe(1)
    const late = await rawTab(world, { capabilities: forms })
    await late.answer(await late.next('elicitation/create'), { result: { action: 'decline' } })
    expect(await late.result(taskId)).toMatchObject(text('Kept'))
  })

  test('is not sent a second time after the grace when somebody got it by tasks/result', async () => {
    const waited = gate()
    const patient = toolOf('patient', async (_, task) => {
      await waited.opened
      return text((await task.elicit({ message: 'a', requestedSchema: { type: 'object', properties: {} } })).action)
    })
    const world = new World({ tools: [confirmDelete, patient], deliveryGrace: 10 })
    const [raw, other] = [await rawTab(world, { capabilities: forms }), await rawTab(world, { capabilities: forms })]
    const { taskId } = await raw.create('patient')
    const result = other.result(taskId)
    await other.quiet()
    waited.open()
    const question = await other.next('elicitation/create')
    await raw.create('confirm_delete', { filename: 'b' })
    await raw.next('elicitation/create', ({ message }) => message === 'Delete b?')
    expect(raw.heard('elicitation/create')).toHaveLength(1)
    await other.answer(question, { result: { action: 'decline' } })
    expect(await result).toMatchObject(text('decline'))
  })
})
