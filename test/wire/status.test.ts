import { TaskStatusNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, test } from 'vitest'
import { forms, rawTab, type RawTab } from '../support/raw-tab.js'
import { confirmDelete, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

const METHOD = 'notifications/tasks/status'
const told = (raw: RawTab): unknown[] => raw.heard(METHOD).map(({ params }) => params.statusMessage ?? params.status)

describe('notifications/tasks/status', () => {
  test('SP-062 SP-063 SP-064 is the whole task, with no related-task metadata', async () => {
    const raw = await rawTab(new World({ tools: [toolOf('quick', () => text('done'))] }))
    const { taskId } = await raw.create('quick')
    await raw.result(taskId)
    const last = raw.heard(METHOD).at(-1)
    expect(TaskStatusNotificationSchema.safeParse(last).success).toBe(true)
    expect(last?.params).toEqual(await raw.get(taskId))
    expect(last?.params).toMatchObject({ taskId, status: 'completed' })
    expect(JSON.stringify(raw.heard(METHOD))).not.toContain('related-task')
  })

  test('SC-03 CX-02 goes out once for each status message', async () => {
    const tool = toolOf('talk', async (_, task) => {
      for (const message of ['one', 'two']) {
        await task.status(message)
        await expect.poll(() => told(raw)).toContain(message)
      }
      return text('done')
    })
    const raw: RawTab = await rawTab(new World({ tools: [tool] }))
    const { taskId } = await raw.create('talk')
    await raw.result(taskId)
    await raw.quiet()
    expect(told(raw)).toEqual(['working', 'one', 'two', 'two'])
    expect(raw.heard(METHOD).at(-1)?.params.status).toBe('completed')
  })

  test('SC-05 SC-06 goes out once for the end', async () => {
    const broken = toolOf('broken', () => Promise.reject(new Error('no')))
    const raw = await rawTab(new World({ tools: [toolOf('quick', () => text('done')), broken] }))
    for (const [tool, status] of [
      ['quick', 'completed'],
      ['broken', 'failed']
    ] as const) {
      const { taskId } = await raw.create(tool)
      await raw.result(taskId)
      await raw.quiet()
      const ends = raw.heard(METHOD).filter(({ params }) => params.taskId === taskId && params.status === status)
      expect(ends).toHaveLength(1)
    }
  })

  test('comes before the result, in every session of the owner that waits', async () => {
    const world = new World({ tools: [confirmDelete] })
    const tabs = [await rawTab(world, { capabilities: forms }), await rawTab(world), await rawTab(world)]
    const [raw] = tabs as [RawTab]
    const { taskId } = await raw.create('confirm_delete', { filename: 'a' })
    const waits = tabs.map((tab) => tab.ask('tasks/result', { taskId }))
    await raw.answer(await raw.next('elicitation/create'), { result: { action: 'decline' } })
    await Promise.all(waits.map(({ response }) => response))
    tabs.forEach(({ log }, i) => {
      const end = log.findIndex((message) => 'method' in message && message.params?.status === 'completed')
      const result = log.findIndex((message) => 'id' in message && message.id === waits[i]?.id)
      expect(end).toBeGreaterThan(-1)
      expect(end).toBeLessThan(result)
    })
  })

  test('never goes back to an older revision, in any session', async () => {
    const tool = toolOf('busy', async (_, task) => {
      await Promise.all(Array.from({ length: 30 }, (_, i) => task.status(`Step ${i}`)))
      return text('done')
    })
    const world = new World({ tools: [tool] })
    const tabs = [await rawTab(world), await rawTab(world)]
    const [raw, other] = tabs as [RawTab, RawTab]
    const tasks = await Promise.all([raw.create('busy'), other.create('busy'), raw.create('busy')])
    await Promise.all(tasks.flatMap(({ taskId }) => tabs.map((tab) => tab.result(taskId))))
    await raw.quiet()
    for (const tab of tabs) {
      for (const { taskId } of tasks) {
        const own = tab.heard(METHOD).filter(({ params }) => params.taskId === taskId)
        const revisions = own.map(({ params }) => Number(params._meta?.['intab/revision']))
        expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b))
        expect(own.at(-1)?.params.status).toBe('completed')
      }
    }
  })

  test('E8 tells the sessions of another worker, too', async () => {
    const world = new World({ tools: [confirmDelete] })
    const raw = await rawTab(world, { capabilities: forms })
    world.worker()
    const elsewhere = await rawTab(world, { capabilities: { tasks: {} } })
    const { taskId } = await raw.create('confirm_delete', { filename: 'a' })
    await raw.ok('tasks/cancel', { taskId })
    expect((await elsewhere.next(METHOD, ({ status }) => status === 'cancelled')).params.taskId).toBe(taskId)
  })

  test('is not sent to a client that neither declared tasks nor asked for one', async () => {
    const world = new World({ tools: [toolOf('quick', () => text('done'))] })
    const [raw, stranger] = [await rawTab(world), await rawTab(world)]
    const { taskId } = await raw.create('quick')
    await raw.result(taskId)
    await stranger.quiet()
    expect(stranger.heard(METHOD)).toEqual([])
    expect(raw.heard(METHOD)).not.toEqual([])
  })

  test('is not sent to a client that has not said it is initialized', async () => {
    const world = new World({ tools: [toolOf('quick', () => text('done'))] })
    const [raw, silent] = [await rawTab(world), await rawTab(world, { initialize: false })]
    const { taskId } = await raw.create('quick')
    await raw.result(taskId)
    await silent.quiet()
    expect(silent.heard(METHOD)).toEqual([])
  })
})
