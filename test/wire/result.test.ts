import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, test } from 'vitest'
import { RpcError } from '../../src/worker.js'
import { forms, rawTab } from '../support/raw-tab.js'
import { confirmDelete, gate, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

const RELATED_TASK = 'io.modelcontextprotocol/related-task'
const related = (taskId: string) => ({ _meta: { [RELATED_TASK]: { taskId } } })

describe('tasks/result', () => {
  test('SP-045 SP-073 SP-074 SP-048 RH-01 is exactly what the tool returned, and names the task', async () => {
    const returned = {
      content: [{ type: 'text' as const, text: 'a', _meta: { 'example.com/x': [1] } }],
      structuredContent: { deep: { list: [1, null, 'x'] } },
      _meta: { 'example.com/y': true }
    }
    const raw = await rawTab(new World({ tools: [toolOf('full', () => returned)] }))
    const { taskId } = await raw.create('full')
    const result = await raw.result(taskId)
    expect(CallToolResultSchema.safeParse(result).success).toBe(true)
    expect(result).toEqual({ ...returned, _meta: { 'example.com/y': true, [RELATED_TASK]: { taskId } } })
  })

  test('RH-02 RH-04 SP-093 SP-094 has nothing that the tool left out: no null, no undefined', async () => {
    const holes = { content: [], structuredContent: undefined, isError: undefined, _meta: undefined }
    const raw = await rawTab(new World({ tools: [toolOf('holes', () => holes)] }))
    const { taskId } = await raw.create('holes')
    const result = await raw.result(taskId)
    expect(Object.keys(result)).toEqual(['content', '_meta'])
    expect(result).toEqual({ content: [], ...related(taskId) })
  })

  test('SP-046 SP-047 RH-06 waits for the end, and not longer', async () => {
    const end = gate()
    const tool = toolOf('slow', async () => {
      await end.opened
      return text('done')
    })
    const raw = await rawTab(new World({ tools: [tool] }))
    const { taskId } = await raw.create('slow')
    let settled = false
    const result = raw.result(taskId).finally(() => (settled = true))
    await raw.quiet()
    expect(settled).toBe(false)
    end.open()
    expect(await result).toEqual({ ...text('done'), ...related(taskId) })
  })

  test('SP-050 4.5 #11 is -32602 for an unknown task, at once', async () => {
    const raw = await rawTab(new World({ tools: [confirmDelete] }))
    expect(await raw.fail('tasks/result', { taskId: 'nothing' })).toEqual({
      code: -32602,
      message: 'Task not found: nothing'
    })
  })

  test('SP-049 SP-085 N14 E3 is the error that the tool threw, code and data included, for everybody who asks', async () => {
    const tool = toolOf('go', () => {
      throw new RpcError(-32042, 'Go there first', { elicitations: [{ url: 'https://example.com' }] })
    })
    const raw = await rawTab(new World({ tools: [tool] }))
    const { taskId } = await raw.create('go')
    const error = { code: -32042, message: 'Go there first', data: { elicitations: [{ url: 'https://example.com' }] } }
    expect(await raw.fail('tasks/result', { taskId })).toEqual(error)
    expect(await raw.fail('tasks/result', { taskId })).toEqual(error)
    expect(await raw.get(taskId)).toMatchObject({ status: 'failed', statusMessage: 'Go there first' })
  })

  test('SP-086 SP-083 SP-084 N15 4.5 #2 E2 E4 E5 F2 of an `isError` result is that result, of a failed task with a message', async () => {
    const tool = toolOf('bad', () => ({ ...text('no such file'), isError: true }))
    const raw = await rawTab(new World({ tools: [tool] }))
    const { taskId } = await raw.create('bad')
    expect(await raw.result(taskId)).toEqual({ ...text('no such file'), isError: true, ...related(taskId) })
    expect(await raw.get(taskId)).toMatchObject({ status: 'failed', statusMessage: 'no such file' })
  })

  test('CX-11 RT-02 CX-04 of a throw is what a plain call would say, and the task failed with its text', async () => {
    const tool = toolOf('broken', () => {
      throw new TypeError('x is not a function')
    })
    const raw = await rawTab(new World({ tools: [tool] }))
    const { taskId } = await raw.create('broken')
    expect(await raw.result(taskId)).toEqual({ ...text('x is not a function'), isError: true, ...related(taskId) })
    expect(await raw.get(taskId)).toMatchObject({ status: 'failed', statusMessage: 'x is not a function' })
  })

  test('B2 takes related-task metadata of the request for nothing', async () => {
    const raw = await rawTab(new World({ tools: [toolOf('quick', () => text('done'))] }))
    const { taskId } = await raw.create('quick')
    const params = { taskId, _meta: { [RELATED_TASK]: { taskId: 'another' } } }
    expect(await raw.ok('tasks/result', params)).toEqual({ ...text('done'), ...related(taskId) })
  })

  test('answers each of three who wait, and is cancelled only for the one who cancels', async () => {
    const end = gate()
    const tool = toolOf('slow', async () => {
      await end.opened
      return text('done')
    })
    const raw = await rawTab(new World({ tools: [tool] }))
    const { taskId } = await raw.create('slow')
    const waits = [1, 2, 3].map(() => raw.ask('tasks/result', { taskId }))
    await raw.quiet()
    await raw.notify('notifications/cancelled', { requestId: waits[1]?.id })
    await raw.quiet()
    expect((await raw.get(taskId)).status).toBe('working')
    end.open()
    expect((await waits[0]?.response)?.result).toMatchObject(text('done'))
    expect((await waits[2]?.response)?.result).toMatchObject(text('done'))
    await raw.quiet()
    expect(raw.log.filter((message) => 'id' in message && message.id === waits[1]?.id)).toEqual([])
  })

  test('RH-05 4.5 #15 comes after what was queued before the end; a second one is the result alone', async () => {
    const tool = toolOf('chatty', async (_, task) => {
      for (const data of ['one', 'two'])
        await task.notify({ method: 'notifications/message', params: { level: 'info', data } })
      return text('done')
    })
    const world = new World({ tools: [tool] })
    const worker = world.worker()
    const raw = await rawTab(world)
    const { taskId } = await raw.create('chatty')
    await expect.poll(() => worker.eventsOf('finished').length).toBe(1)
    expect(raw.heard('notifications/message')).toEqual([])
    const { id, response } = raw.ask('tasks/result', { taskId })
    await response
    const after = raw.log.findIndex((message) => 'id' in message && message.id === id)
    const before = raw.log
      .slice(0, after)
      .filter((message) => 'method' in message && message.method === 'notifications/message')
    expect(before.map((message) => ('params' in message ? message.params?.data : undefined))).toEqual(['one', 'two'])
    expect(await raw.result(taskId)).toMatchObject(text('done'))
    await raw.quiet()
    expect(raw.heard('notifications/message')).toHaveLength(2)
  })

  test('4.5 #14 delivers what appears while it waits, and then the result', async () => {
    const raw = await rawTab(new World({ tools: [twice] }), { capabilities: forms })
    const { taskId } = await raw.create('twice')
    const result = raw.result(taskId)
    for (const n of [1, 2]) {
      const question = await raw.next('elicitation/create')
      expect(question.params.message).toBe(`Question ${n}`)
      await raw.quiet()
      await raw.answer(question, { result: { action: 'decline' } })
    }
    expect(await result).toMatchObject(text('asked'))
  })
})

const twice = toolOf('twice', async (_, task) => {
  for (const n of [1, 2]) {
    await task.elicit({ message: `Question ${n}`, requestedSchema: { type: 'object', properties: {} } })
  }
  return text('asked')
})
