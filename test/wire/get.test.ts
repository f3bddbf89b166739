import { GetTaskResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, test } from 'vitest'
import { forms, rawTab } from '../support/raw-tab.js'
import { confirmDelete, gate, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

const RELATED_TASK = 'io.modelcontextprotocol/related-task'

describe('tasks/get', () => {
  test('SP-040 SP-041 SP-069 SP-089 SP-090 is the whole task as it is now, at top level, without related-task', async () => {
    const reading = gate()
    const tool = toolOf('read', async (_, task) => {
      await task.status('Reading')
      reading.open()
      return new Promise(() => undefined)
    })
    const raw = await rawTab(new World({ tools: [tool] }))
    const created = await raw.create('read', {}, { ttl: 5000 })
    await reading.opened
    const task = await raw.get(created.taskId)
    expect(GetTaskResultSchema.safeParse(task).success).toBe(true)
    expect(task).toEqual({
      taskId: created.taskId,
      status: 'working',
      statusMessage: 'Reading',
      ttl: 5000,
      pollInterval: 1000,
      createdAt: created.createdAt,
      lastUpdatedAt: expect.any(String),
      _meta: {
        'intab/tool': 'read',
        'intab/revision': 2,
        'intab/attempt': 1,
        'intab/executor': expect.stringContaining(':executor:')
      }
    })
    expect(task._meta).not.toHaveProperty(RELATED_TASK)
  })

  test('SP-043 SP-044 SP-078 SP-079 4.5 #9 is -32602 for an id that nobody gave, whatever it looks like', async () => {
    const raw = await rawTab(new World({ tools: [confirmDelete] }))
    for (const taskId of ['', 'nothing', crypto.randomUUID(), '__proto__', 'task:x:y']) {
      expect(await raw.fail('tasks/get', { taskId })).toEqual({ code: -32602, message: `Task not found: ${taskId}` })
    }
  })

  test('SP-029 N22 4.5 #6 answers while a question is open, which it shows as input_required', async () => {
    const raw = await rawTab(new World({ tools: [confirmDelete] }), { capabilities: forms })
    const { taskId } = await raw.create('confirm_delete', { filename: 'a.txt' })
    const result = raw.result(taskId)
    const question = await raw.next('elicitation/create')
    expect(question.params._meta).toEqual({ [RELATED_TASK]: { taskId } })
    expect(await raw.get(taskId)).toMatchObject({ taskId, status: 'input_required' })
    await raw.answer(question, { result: { action: 'accept', content: { confirm: true } } })
    expect(await result).toMatchObject(text('Deleted a.txt'))
    expect((await raw.get(taskId)).status).toBe('completed')
  })

  test('4.5 #17 says the same to five who ask at once', async () => {
    const raw = await rawTab(new World({ tools: [toolOf('forever', () => new Promise(() => undefined))] }))
    const { taskId } = await raw.create('forever')
    const all = await Promise.all(Array.from({ length: 5 }, () => raw.get(taskId)))
    expect(all.map((task) => JSON.stringify(task))).toEqual(Array.from({ length: 5 }, () => JSON.stringify(all[0])))
    expect(all[0]).toMatchObject({ taskId, status: 'working' })
  })

  test('B2 ignores related-task metadata and whatever else rides on the request', async () => {
    const raw = await rawTab(new World({ tools: [toolOf('forever', () => new Promise(() => undefined))] }))
    const { taskId } = await raw.create('forever')
    const params = { taskId, task: {}, more: [1], _meta: { [RELATED_TASK]: { taskId: 'another' }, progressToken: 3 } }
    expect(await raw.ok('tasks/get', params)).toMatchObject({ taskId, status: 'working' })
  })
})
