import { describe, expect, test } from 'vitest'
import { compare, type Survey } from '../../../src/devtools/acts/survey.js'
import type { TaskInfo } from '../../../src/index.js'

const taskOf = (change: Partial<TaskInfo>): TaskInfo => ({
  taskId: 'a',
  status: 'working',
  ttl: 1000,
  createdAt: '2026-01-01T00:00:00.000Z',
  lastUpdatedAt: '2026-01-01T00:00:05.000Z',
  attempt: 1,
  ...change
})

describe('what is said of an act', () => {
  const surveyOf = (...tasks: TaskInfo[]): Survey => ({
    tasks: new Map(tasks.map((task) => [task.taskId, task])),
    questions: ['q']
  })
  const before = surveyOf(
    taskOf({ taskId: 'a' }),
    taskOf({ taskId: 'b' }),
    taskOf({ taskId: 'c' }),
    taskOf({ taskId: 'd', status: 'completed' }),
    taskOf({ taskId: 'e', status: 'completed' })
  )

  test('is what went on, what failed, and what is gone', () => {
    const after = surveyOf(
      taskOf({ taskId: 'a', attempt: 2 }),
      taskOf({ taskId: 'b' }),
      taskOf({ taskId: 'c', status: 'failed' }),
      taskOf({ taskId: 'd', status: 'completed' })
    )
    expect(compare(before, { ...after, questions: [] })).toEqual([
      '4 of 5 tasks still there.',
      '1 task went on in another worker.',
      '1 task runs on as if nothing had happened.',
      '1 task failed: its tool cannot resume.',
      '0 of 1 question still open.'
    ])
  })
})
