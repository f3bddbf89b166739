import { describe, expect, test } from 'vitest'
import { rawTab } from '../support/raw-tab.js'
import { text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

async function counted() {
  const ran: string[] = []
  const tool = toolOf('counted', ({ n }, { id }) => {
    ran.push(id)
    return text(String(n))
  })
  const world = new World({ tools: [tool], owner: ({ data }) => JSON.stringify(data) })
  const raw = await rawTab(world, { data: 'ann' })
  const call = { name: 'counted', arguments: { n: 1 }, _meta: { 'intab/key': 'k', 'intab/retry': true } }
  return { world, raw, ran, call, asTask: { ...call, task: {} } }
}

describe('a call with a key', () => {
  test('that is repeated finds its task, whatever became of it, and runs once', async () => {
    const { raw, ran, asTask } = await counted()
    const { taskId } = (await raw.ok('tools/call', asTask)).task as { taskId: string }
    await raw.result(taskId)
    expect(await raw.ok('tools/call', asTask)).toMatchObject({ task: { taskId, status: 'completed' } })
    expect(ran).toEqual([taskId])
  })

  test('that is repeated plainly is answered with the same outcome, and runs once', async () => {
    const { raw, ran, call } = await counted()
    const answers = await Promise.all([raw.ok('tools/call', call), raw.ok('tools/call', call)])
    expect(answers).toEqual([text('1'), text('1')])
    expect(ran).toHaveLength(1)
  })

  test('that is said to be fresh finds the task that has it all the same', async () => {
    const { raw, ran, asTask } = await counted()
    const fresh = { ...asTask, _meta: { 'intab/key': 'k', 'intab/fresh': true } }
    const calls = await Promise.all([raw.ok('tools/call', fresh), raw.ok('tools/call', fresh)])
    const [{ taskId } = {}, again] = calls.map(({ task }) => task as { taskId: string })
    expect(again).toMatchObject({ taskId })
    await raw.result(String(taskId))
    expect(ran).toEqual([taskId])
    const other = { ...fresh, arguments: { n: 2 } }
    expect(await raw.fail('tools/call', other)).toMatchObject({ code: -32602, data: { code: 'key_conflict' } })
  })

  test('of another call is -32602, and nothing is done', async () => {
    const { raw, ran, asTask } = await counted()
    const { taskId } = (await raw.ok('tools/call', asTask)).task as { taskId: string }
    await raw.result(taskId)
    expect(await raw.fail('tools/call', { ...asTask, arguments: { n: 2 } })).toMatchObject({
      code: -32602,
      data: { code: 'key_conflict' }
    })
    expect(await raw.ok('tasks/list')).toMatchObject({ tasks: [{ taskId }] })
    expect(ran).toEqual([taskId])
  })

  test('whose task was deleted may have run, and does not run again', async () => {
    const { raw, ran, asTask } = await counted()
    const { taskId } = (await raw.ok('tools/call', asTask)).task as { taskId: string }
    await raw.result(taskId)
    await raw.ok('intab/tasks/delete', { taskId })
    expect(await raw.fail('tools/call', asTask)).toMatchObject({ code: -31030, data: { code: 'may_have_run' } })
    expect(ran).toEqual([taskId])
  })

  test('whose task was deleted does not run again either when it is said to be fresh', async () => {
    const { raw, ran, asTask } = await counted()
    const fresh = { ...asTask, _meta: { 'intab/key': 'k', 'intab/fresh': true } }
    const { taskId } = (await raw.ok('tools/call', fresh)).task as { taskId: string }
    await raw.result(taskId)
    await raw.ok('intab/tasks/delete', { taskId })
    expect(await raw.fail('tools/call', fresh)).toMatchObject({ data: { code: 'may_have_run' } })
    expect(ran).toEqual([taskId])
  })

  test('of another owner is a key of its own', async () => {
    const { world, raw, ran, asTask } = await counted()
    const other = await rawTab(world, { data: 'bob' })
    const ids = [await raw.ok('tools/call', asTask), await other.ok('tools/call', asTask)].map(
      ({ task }) => (task as { taskId: string }).taskId
    )
    await raw.result(ids[0] ?? '')
    await other.result(ids[1] ?? '')
    expect(ran.sort()).toEqual(ids.sort())
    expect(new Set(ids).size).toBe(2)
  })
})
