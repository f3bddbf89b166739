import { describe, expect, test } from 'vitest'
import type { Hub } from '../../../src/session/hub.js'
import type { Session } from '../../../src/session/session.js'
import { taskMethods } from '../../../src/session/task-methods.js'
import { newTask, openEngine } from '../../support/engine.js'

const end = { status: 'completed' as const, outcome: { result: { content: [] } } }

describe('tasks/result', () => {
  test('has the end announced before it answers, however late the news of it are read', async () => {
    const engine = await openEngine()
    const { task, fence } = await newTask(engine)
    const order: unknown[] = []
    const hub = {
      ...engine,
      announce: ({ status }: { status: string }) => order.push(status),
      fetched: (taskId: string) => order.push(taskId)
    } as unknown as Hub
    const session = {
      owner: task.owner,
      connection: 'c',
      claimant: { connection: 'c', can: [] },
      place: () => 0,
      moveTo: () => undefined
    } as unknown as Session
    const result = new Map(taskMethods(hub, session)).get('tasks/result')
    const params = { taskId: task.taskId }
    const answer = result
      ?.answer({ id: 1, params, signal: new AbortController().signal })
      .then(() => order.push('answer'))
    await engine.tasks.finish(fence, end)
    await answer
    expect(order).toEqual(['completed', task.taskId, 'answer'])
  })
})
