import { describe, expect, test } from 'vitest'
import { Announcer } from '../../../src/session/announcer.js'
import type { Session } from '../../../src/session/session.js'
import type { TaskRecord } from '../../../src/types.js'
import { recordOf } from '../../support/record.js'

const record = (more: Partial<TaskRecord>): TaskRecord => recordOf({ taskId: 't', progressToken: 'p', ...more })

function announced() {
  const told: unknown[] = []
  const session = (owner: string, connection: string): Session =>
    ({
      owner,
      connection,
      watches: connection !== 'connection-2',
      hearsOfTasks: true,
      tell: (method: string, { status, statusMessage, progress }: Record<string, unknown>) =>
        told.push([connection, method.split('/').at(-1), progress ?? statusMessage ?? status])
    }) as unknown as Session
  const sessions = new Set([session('ann', 'connection-1'), session('ann', 'connection-2'), session('bob', 'b')])
  const announcer = new Announcer()
  return {
    told,
    tell: (more: Partial<TaskRecord>) => announcer.tell({ sessions }, record(more)),
    tellSoon: (more: Partial<TaskRecord>) => announcer.tellSoon({ sessions }, record(more)),
    remove: (taskId: string) => announcer.tellRemoved({ sessions }, taskId)
  }
}

describe('what is told of a task', () => {
  test('goes to the sessions of its owner, once for each status or message, whatever else changed', () => {
    const { told, tell } = announced()
    tell({ revision: 1 })
    tell({ revision: 2, messageCount: 1 })
    tell({ revision: 3, statusMessage: 'Reading' })
    tell({ revision: 4, statusMessage: 'Reading', openRequests: 1 })
    const statuses = told.filter((one) => (one as string[])[1] === 'status')
    const both = (what: string) => [
      ['connection-1', 'status', what],
      ['connection-2', 'status', what]
    ]
    expect(statuses).toEqual([...both('working'), ...both('Reading')])
  })

  test('beyond status and message goes to the sessions that watch, and so does its deletion', () => {
    const { told, tell, remove } = announced()
    tell({ revision: 1 })
    told.length = 0
    tell({ revision: 2, messageCount: 1 })
    remove('t')
    remove('t')
    expect(told).toEqual([
      ['connection-1', 'task', 'working'],
      ['connection-1', 'removed', undefined]
    ])
  })

  test('never goes back: an older revision, or the same once more, is not told', () => {
    const { told, tell } = announced()
    tell({ revision: 5, status: 'completed' })
    tell({ revision: 4, status: 'working' })
    tell({ revision: 5, status: 'completed' })
    expect(told).toHaveLength(2)
  })

  test('of progress goes to the connection that called, before the status of the same moment', () => {
    const { told, tell } = announced()
    tell({ revision: 1 })
    told.length = 0
    tell({ revision: 2, progress: { progress: 1 } })
    tell({ revision: 3, progress: { progress: 2 }, status: 'completed' })
    expect(told.slice(0, 4)).toEqual([
      ['connection-1', 'progress', 1],
      ['connection-1', 'task', 'working'],
      ['connection-1', 'progress', 2],
      ['connection-1', 'status', 'completed']
    ])
  })

  test('of progress increases, also when the handler runs again from the start', () => {
    const { told, tell } = announced()
    for (const [i, progress] of [1, 5, 2, 5, 6].entries()) {
      tell({ revision: i + 1, attempt: i > 1 ? 2 : 1, progress: { progress } })
    }
    expect(told.filter((one) => (one as string[])[1] === 'progress').map((one) => (one as unknown[])[2])).toEqual([
      1, 5, 6
    ])
  })

  test('at the end of the turn keeps its order, and comes before what is told at once', async () => {
    const { told, tell, tellSoon, remove } = announced()
    const all = (): unknown[] => told.splice(0).map((one) => (one as unknown[])[2])
    tellSoon({ revision: 1 })
    expect(all()).toEqual([])
    tellSoon({ revision: 2, statusMessage: 'Reading' })
    tell({ revision: 3, status: 'completed' })
    expect(all()).toEqual(['working', 'Reading', 'completed'].flatMap((what) => [what, what]))
    tellSoon({ taskId: 'u', revision: 1 })
    await expect.poll(() => told.length).toBe(2)
    tellSoon({ taskId: 'u', revision: 2, statusMessage: 'Reading' })
    remove('u')
    expect(told.map((one) => (one as unknown[])[1])).toEqual(['status', 'status', 'status', 'status', 'removed'])
  })
})
