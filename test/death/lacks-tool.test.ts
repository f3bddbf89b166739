import { describe, expect, test } from 'vitest'
import { followTask, runTask } from '../../src/index.js'
import { gate, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

const resume = { onInterrupt: 'resume' } as const

describe('a build that lacks the tool', () => {
  test('R14 leaves the task alone, says so once, and a build that has it goes on with it', async () => {
    const world = new World()
    const working = gate()
    const old = toolOf(
      'old',
      (_, { attempt }) => (working.open(), attempt === 1 ? new Promise(() => undefined) : text('resumed')),
      resume
    )
    const first = world.worker({ tools: [old] })
    const tab = await world.tab()
    const run = await runTask(tab.client, { name: 'old' })
    const result = run.result()
    await working.opened
    const rolledBack = world.worker()
    await rolledBack.server.ready
    first.kill()
    await expect.poll(() => rolledBack.eventsOf('unknown_tool')).toHaveLength(1)
    const other = await world.tab({ worker: rolledBack })
    expect((await followTask(other.client, run.taskId)).task.status).toBe('working')
    expect(rolledBack.eventsOf('unknown_tool')).toMatchObject([{ task: { taskId: run.taskId, tool: 'old' } }])
    world.worker({ tools: [old] })
    expect(await result).toMatchObject(text('resumed'))
  })

  test('leaves the task to a living worker that has it', async () => {
    const world = new World()
    let runs = 0
    const working = gate()
    const old = toolOf(
      'old',
      async (_, task) => {
        runs++
        working.open()
        if (task.attempt === 1) return new Promise(() => undefined)
        return text('done by the other')
      },
      resume
    )
    const first = world.worker({ tools: [old] })
    const tab = await world.tab({ worker: first })
    const run = await runTask(tab.client, { name: 'old' })
    await working.opened
    const second = world.worker({ tools: [old] })
    await second.server.ready
    const third = world.worker({ tools: [] })
    await third.server.ready
    const other = await world.tab({ worker: third })
    const followed = await followTask(other.client, run.taskId)
    const result = followed.result()
    first.kill()
    expect(await result).toMatchObject(text('done by the other'))
    expect(runs).toBe(2)
  })
})
