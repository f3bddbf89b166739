import { describe, expect, test } from 'vitest'
import { Dispatcher } from '../../../src/session/dispatcher.js'
import type { Hub } from '../../../src/session/hub.js'
import type { Session } from '../../../src/session/session.js'
import { taskMethods } from '../../../src/session/task-methods.js'
import { newTask, openEngine } from '../../support/engine.js'
import { gate } from '../../support/tools.js'

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
    const answered = gate()
    const send = async (): Promise<void> => {
      order.push('answer')
      answered.open()
    }
    const options = { signal: new AbortController().signal, limit: 100 }
    const dispatcher = new Dispatcher(new Map(taskMethods(hub, session)), send, options)
    dispatcher.intercept({ jsonrpc: '2.0', id: 1, method: 'tasks/result', params: { taskId: task.taskId } })
    await engine.tasks.finish(fence, end)
    await answered.opened
    expect(order).toEqual([task.taskId, 'completed', 'answer'])
  })
})
