import { describe, expect, test } from 'vitest'
import type { TaskDetails } from '../../../src/client/describe-task.js'
import { storyOf } from '../../../src/devtools/picture/story.js'

const at = (second: number): string => new Date(1_000 * second).toISOString()

const task = (over: Partial<TaskDetails['task']> = {}): TaskDetails['task'] => ({
  taskId: 'a',
  status: 'working',
  createdAt: at(0),
  lastUpdatedAt: at(0),
  ttl: null,
  tool: 'survey',
  attempt: 1,
  ...over
})

const details = (over: Partial<TaskDetails>): TaskDetails => ({
  task: task(),
  arguments: {},
  seq: 1,
  messages: [],
  runs: [],
  steps: [],
  ...over
})

/** Each mark as its lane, kind, label and seconds. */
const told = (of: TaskDetails, now = 100): [string, string, string, number, number][] =>
  storyOf(of, [], now * 1_000).marks.map(({ lane, kind, label, from, to }) => [
    lane,
    kind,
    label,
    from / 1_000,
    to / 1_000
  ])

describe('the story of a task', () => {
  test('counts the runs of rows that do not tell them', () => {
    expect(told(details({ task: task({ attempt: 3 }) }))).toEqual([['Runs', 'run', 'Runs 1 to 3', 0, 100]])
  })

  test('has a death between the last that the worker wrote and the next run, and a worker that made way', () => {
    const runs: TaskDetails['runs'] = [
      { attempt: 1, executor: 'one', startedAt: at(0), endedAt: at(10) },
      { attempt: 2, executor: 'two', startedAt: at(40), endedAt: at(50), gaveUp: true },
      { attempt: 3, executor: 'three', startedAt: at(60) }
    ]
    const steps = [
      { key: 'step:weigh', at: at(20) },
      { key: 'sleep#1', at: at(61), until: at(500) },
      { key: 'step:of older rows' }
    ]
    expect(told(details({ task: task({ attempt: 3 }), runs, steps }))).toEqual([
      ['Runs', 'run', 'Run 1', 0, 20],
      ['Steps', 'step', 'weigh', 20, 20],
      ['Runs', 'death', 'Worker one died', 20, 40],
      ['Runs', 'run', 'Run 2', 40, 50],
      ['Runs', 'left', 'Worker two made way', 50, 60],
      ['Runs', 'run', 'Run 3', 60, 100],
      ['Sleeps', 'sleep', 'Sleep of 7.3 min', 61, 100]
    ])
  })

  test('ends the last run with the task, and says so of one that nobody runs', () => {
    const runs = [{ attempt: 1, executor: 'one', startedAt: at(0), endedAt: at(10) }]
    const ended = task({ status: 'completed', lastUpdatedAt: at(10) })
    expect(told(details({ task: ended, runs }))).toEqual([
      ['Runs', 'run', 'Run 1', 0, 10],
      ['Outcome', 'completed', 'completed', 10, 10]
    ])
    const [, death] = storyOf(details({ runs }), [], 100_000).marks
    expect(death).toMatchObject({ kind: 'death', from: 10_000, to: 100_000 })
    expect(death?.detail).toContain('nobody has taken over')
  })

  test('shows a question from when a tab showed it until it was closed, and where', () => {
    const asked = { n: 1, method: 'elicitation/create', params: { message: 'go?' }, enqueuedAt: at(1), requestId: 'q' }
    const shown = { ...asked, deliveredAt: at(2), here: false }
    const answer = { result: { action: 'accept' } }
    const closed = { ...shown, state: 'answered', closedAt: at(9), answer } as const
    const story = (message: TaskDetails['messages'][number]) =>
      told(details({ messages: [message] })).filter(([lane]) => lane === 'Questions')
    expect(story(closed)).toEqual([
      ['Questions', 'asked', 'Asked: go?', 1, 1],
      ['Questions', 'shown', 'Shown: go?', 2, 9],
      ['Questions', 'answered', 'Answered: go?', 9, 9]
    ])
    expect(story({ ...shown, state: 'delivered' })).toContainEqual(['Questions', 'shown', 'Shown: go?', 2, 100])
    expect(story({ ...asked, state: 'withdrawn', closedAt: at(3) })).toEqual([
      ['Questions', 'asked', 'Asked: go?', 1, 1],
      ['Questions', 'note', 'Withdrawn: go?', 3, 3]
    ])
  })
})
