import { ListTasksResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, test } from 'vitest'
import { deleteTask, listTasks, runTask } from '../../src/index.js'
import { rawTab, type RawTab, type WireTask } from '../support/raw-tab.js'
import { text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

const tools = [toolOf('quick', () => text('done')), toolOf('forever', () => new Promise(() => undefined))]
const idsOf = (result: Record<string, unknown>): string[] => (result.tasks as WireTask[]).map(({ taskId }) => taskId)

async function make(raw: RawTab, count: number, tool = 'quick'): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i++) ids.push((await raw.create(tool)).taskId)
  return ids
}

describe('tasks/list', () => {
  test('4.3 #1 SP-051 is an empty array when there is nothing, and no cursor', async () => {
    const raw = await rawTab(new World({ tools }))
    expect(await raw.ok('tasks/list')).toEqual({ tasks: [], _meta: {} })
    expect(await raw.ok('tasks/list', {})).toEqual({ tasks: [], _meta: {} })
  })

  test('4.3 #2 VI-02 VI-10 4.5 #7 has the tasks in order of creation, whole, on one page', async () => {
    const raw = await rawTab(new World({ tools }))
    const made = await make(raw, 3)
    for (const taskId of made) await raw.result(taskId)
    const listed = await raw.ok('tasks/list')
    expect(ListTasksResultSchema.safeParse(listed).success).toBe(true)
    expect(idsOf(listed)).toEqual(made)
    expect(listed).not.toHaveProperty('nextCursor')
    expect((listed.tasks as WireTask[])[0]).toEqual(await raw.get(made[0] ?? ''))
  })

  test('4.3 #3 4.5 #8 SP-052 SP-053 goes on at its cursor, page by page, and has none on the last', async () => {
    const raw = await rawTab(new World({ tools, limits: { page: 10 } }))
    const made = await make(raw, 15)
    const first = await raw.ok('tasks/list')
    expect(idsOf(first)).toEqual(made.slice(0, 10))
    const second = await raw.ok('tasks/list', { cursor: first.nextCursor })
    expect(idsOf(second)).toEqual(made.slice(10))
    expect(second).not.toHaveProperty('nextCursor')
  })

  test('SP-054 N20 E14 has opaque cursors, which survive the deletion of the task that they came from', async () => {
    const world = new World({ tools, limits: { page: 2 } })
    const { client } = await world.tab()
    const made: string[] = []
    for (let i = 0; i < 4; i++) {
      const run = await runTask(client, { name: 'quick' })
      made.push(run.taskId)
      await run.result()
    }
    const { nextCursor = '' } = await listTasks(client)
    expect(made.some((taskId) => nextCursor.includes(taskId))).toBe(false)
    await deleteTask(client, made[1] ?? '')
    const rest = await listTasks(client, { cursor: nextCursor })
    expect(rest.tasks.map(({ taskId }) => taskId)).toEqual(made.slice(2))
  })

  test('SP-055 SP-080 4.3 #5 is -32602 for a cursor that it never gave, an empty one too', async () => {
    const raw = await rawTab(new World({ tools }))
    const [taskId = ''] = await make(raw, 1)
    for (const cursor of ['', 'x', taskId, btoa('v2:1'), btoa('v1:-1'), btoa('v1:1e3'), ' ']) {
      expect(await raw.fail('tasks/list', { cursor })).toEqual({ code: -32602, message: `Invalid cursor: ${cursor}` })
    }
  })

  test('4.3 #6 shows whatever tasks/get shows, from the very answer to the call on', async () => {
    const raw = await rawTab(new World({ tools }))
    const { taskId } = await raw.create('forever')
    expect(await raw.get(taskId)).toMatchObject({ taskId })
    expect(idsOf(await raw.ok('tasks/list'))).toContain(taskId)
  })

  test('4.3 #7 SP-070 has no related-task metadata, neither itself nor in its tasks', async () => {
    const raw = await rawTab(new World({ tools }))
    await make(raw, 2)
    expect(JSON.stringify(await raw.ok('tasks/list'))).not.toContain('related-task')
  })

  test('may be asked in `_meta` for an order and for statuses, and pages in them', async () => {
    const raw = await rawTab(new World({ tools, limits: { page: 2 } }))
    const done = await make(raw, 3)
    for (const taskId of done) await raw.result(taskId)
    const [working = ''] = await make(raw, 1, 'forever')
    const ask = (cursor?: unknown, query: object = { order: 'newest' }) =>
      raw.ok('tasks/list', { ...(cursor !== undefined && { cursor }), _meta: { 'intab/list': query } })
    const first = await ask()
    expect(idsOf(first)).toEqual([working, done[2]])
    expect(idsOf(await ask(first.nextCursor))).toEqual([done[1], done[0]])
    expect(idsOf(await ask(undefined, { status: ['working', 'input_required'] }))).toEqual([working])
    expect(idsOf(await ask(undefined, { order: 'newest', status: ['completed'] }))).toEqual([done[2], done[1]])
  })
})
