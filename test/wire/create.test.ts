import { CreateTaskResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, test } from 'vitest'
import { rawTab } from '../support/raw-tab.js'
import { gate, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const forever = toolOf('forever', () => new Promise(() => undefined))

describe('the answer to a call with `task`', () => {
  test('SP-031 SP-032 SP-033 SP-034 SP-035 is a task that works, with its id and its creation in ISO 8601', async () => {
    const raw = await rawTab(new World({ tools: [forever] }))
    const result = await raw.ok('tools/call', { name: 'forever', task: { ttl: 5000 } })
    expect(CreateTaskResultSchema.parse(result).task).toMatchObject({ status: 'working', ttl: 5000 })
    const { task } = result as { task: Record<string, unknown> }
    expect(task.taskId).toEqual(expect.stringMatching(/^[0-9a-f-]{36}$/))
    expect(task.createdAt).toEqual(expect.stringMatching(iso))
    expect(task.lastUpdatedAt).toBe(task.createdAt)
  })

  test('SP-037 SP-038 SP-087 SP-088 SP-092 has these keys, and no other: no status message before there is one', async () => {
    const raw = await rawTab(
      new World({ tools: [toolOf('forever', () => new Promise(() => undefined), { pollInterval: 250 })] })
    )
    const result = await raw.ok('tools/call', { name: 'forever', task: {} })
    expect(Object.keys(result)).toEqual(['task'])
    const { task } = result as { task: Record<string, unknown> }
    expect(Object.keys(task).sort()).toEqual(
      ['_meta', 'createdAt', 'lastUpdatedAt', 'pollInterval', 'status', 'taskId', 'ttl'].sort()
    )
    expect(task).toMatchObject({ taskId: expect.any(String), status: 'working', pollInterval: 250 })
  })

  test('SP-072 SP-018 SP-042 E12 comes before the handler runs', async () => {
    const ran: string[] = []
    const tool = toolOf('loud', async (_, task) => {
      ran.push(task.id)
      await task.status('Reading')
      return text('done')
    })
    const world = new World({ tools: [tool] })
    const worker = world.worker()
    const raw = await rawTab(world)
    const responding = gate()
    worker.onpoint((point) => (point === 'send:response' && raw.log.length > 0 ? responding.opened : undefined))
    const { response } = raw.ask('tools/call', { name: 'loud', task: {} })
    await expect.poll(() => worker.eventsOf('created').length).toBe(1)
    expect(ran).toEqual([])
    responding.open()
    const { task } = (await response).result as { task: { taskId: string } }
    expect(task).toMatchObject({ status: 'working', pollInterval: 1000 })
    await raw.result(task.taskId)
    expect(ran).toEqual([task.taskId])
  })

  test('N26 4.5 #1 names a task that tasks/get finds at once, and that ends as completed with its content', async () => {
    const raw = await rawTab(new World({ tools: [toolOf('quick', () => text('done'), { ttl: 60_000 })] }))
    const task = await raw.create('quick', {}, { ttl: 30_000 })
    expect(task).toMatchObject({ status: 'working', ttl: 60_000, createdAt: expect.any(String), pollInterval: 1000 })
    expect(await raw.get(task.taskId)).toMatchObject({ taskId: task.taskId, createdAt: task.createdAt })
    expect(await raw.result(task.taskId)).toMatchObject(text('done'))
    expect(await raw.get(task.taskId)).toMatchObject({ status: 'completed' })
    const answer = raw.log.findIndex((message) => 'result' in message && 'task' in message.result)
    const told = raw.log.findIndex((message) => 'method' in message)
    expect(answer).toBeLessThan(told)
  })

  test('SP-065 SP-066 SP-097 CX-06 4.5 #16 has an id of its own that nobody can guess, also when five come at once', async () => {
    const raw = await rawTab(new World({ tools: [forever] }))
    const tasks = await Promise.all(Array.from({ length: 5 }, () => raw.create('forever')))
    expect(new Set(tasks.map(({ taskId }) => taskId)).size).toBe(5)
    expect(tasks.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'working'))
    const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
    for (const { taskId } of tasks) expect(taskId).toMatch(uuid4)
  })

  test('SP-036 SP-091 N17 CX-08 has `ttl: null` where the host keeps tasks for ever', async () => {
    const raw = await rawTab(new World({ tools: [forever], ttl: { default: null, max: null } }))
    const task = await raw.create('forever')
    expect(task.ttl).toBeNull()
    expect((await raw.get(task.taskId)).ttl).toBeNull()
    expect(await raw.ok('tasks/list')).toMatchObject({ tasks: [{ ttl: null }] })
    const { params } = await raw.next('notifications/tasks/status')
    expect(params.ttl).toBeNull()
  })

  test('SP-039 SP-100 SP-098 E13 has the ttl that was granted: the longest one, the shortest one, by default seven days', async () => {
    const raw = await rawTab(new World({ tools: [forever], ttl: { max: 60_000 } }))
    expect(await raw.create('forever', {}, { ttl: 3_600_000 })).toMatchObject({ ttl: 60_000 })
    expect(await raw.create('forever', {}, { ttl: 0 })).toMatchObject({ ttl: 1000 })
    expect(await raw.create('forever', {}, { ttl: 30_000 })).toMatchObject({ ttl: 30_000 })
    expect(await raw.create('forever')).toMatchObject({ ttl: 60_000 })
    const week = await rawTab(new World({ tools: [forever] }))
    expect(await week.create('forever')).toMatchObject({ ttl: 604_800_000 })
  })

  test("4.5 #12 has the tool's own ttl rather than the one that was asked, and tasks/get says the same", async () => {
    const raw = await rawTab(new World({ tools: [toolOf('kept', () => text('ok'), { ttl: 60_000 })] }))
    const task = await raw.create('kept', {}, { ttl: 5000 })
    expect(task.ttl).toBe(60_000)
    expect((await raw.get(task.taskId)).ttl).toBe(60_000)
  })

  test('SP-008 RT-10 tells the model what to say meanwhile, if the tool knows', async () => {
    const tool = toolOf('slow', () => text('done'), { immediateResponse: 'It will take a while.' })
    const raw = await rawTab(new World({ tools: [tool] }))
    expect(await raw.ok('tools/call', { name: 'slow', task: {} })).toMatchObject({
      _meta: { 'io.modelcontextprotocol/model-immediate-response': 'It will take a while.' }
    })
  })

  test('RT-01 is given at once, and `_meta` of the call reaches the handler without what is not its business', async () => {
    const seen = gate<unknown>()
    const tool = toolOf('curious', (_, task) => {
      seen.open(task.meta)
      return text('done')
    })
    const raw = await rawTab(new World({ tools: [tool] }))
    const meta = {
      'example.com/trace': { id: 7 },
      progressToken: 'p',
      'io.modelcontextprotocol/related-task': { taskId: 'x' }
    }
    const task = await raw.create('curious', {}, {}, meta)
    expect(task.status).toBe('working')
    expect(await seen.opened).toEqual({ 'example.com/trace': { id: 7 } })
    await raw.result(task.taskId)
    expect((await raw.get(task.taskId)).status).toBe('completed')
  })

  test('a call that its client cancels before the answer gets no answer, and its task is cancelled', async () => {
    const world = new World({ tools: [toolOf('quick', () => text('done'))] })
    const worker = world.worker()
    const raw = await rawTab(world)
    const creating = gate()
    const stop = worker.onpoint((point) => (point === 'before:create' ? creating.opened : undefined))
    const { id } = raw.ask('tools/call', { name: 'quick', task: {} })
    const cancelling = raw.notify('notifications/cancelled', { requestId: id })
    // What the worker answers now came after the cancellation.
    await raw.ok('ping')
    creating.open()
    stop()
    await cancelling
    await expect.poll(() => worker.eventsOf('finished').map(({ task }) => task.status)).toEqual(['cancelled'])
    await raw.quiet()
    expect(raw.log.filter((message) => 'id' in message && message.id === id)).toEqual([])
  })
})
