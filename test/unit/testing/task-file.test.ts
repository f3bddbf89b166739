import { describe, expect, test } from 'vitest'
import { checkTaskFile } from '../../../src/testing/task-file.js'
import { storedRows, type TaskInStores } from '../../../src/testing/stored-rows.js'

const taskId = 'a-task'
const asked = {
  kind: 'request',
  n: 1,
  key: 'elicit#1',
  requestId: `task:${taskId}:1`,
  method: 'elicitation/create',
  params: { message: 'go on?' },
  needs: ['elicitation.form'],
  state: 'delivered',
  claimedBy: 'a-page',
  enqueuedAt: 1_000,
  deliveredAt: 1_001
}
const waiting = {
  task: {
    taskId,
    tool: 'survey',
    capabilities: ['elicitation.form'],
    session: 's',
    connection: 'c',
    requestId: 1,
    ttl: 60_000,
    pollInterval: 1_000,
    executor: 'a-worker',
    status: 'input_required',
    createdAt: 900,
    lastUpdatedAt: 1_001,
    expiresAt: 60_900,
    revision: 2,
    attempt: 1,
    provenAttempt: 1,
    openRequests: 1,
    messageCount: 1
  },
  call: { arguments: { deep: { __proto: 1 } } },
  messages: [asked],
  steps: [
    { key: 'step:before' },
    { key: 'sleep#1', value: 5_000, at: 1_001 },
    { key: 'step:sleep#1', value: 5_000 },
    { key: 'step:nothing', value: null }
  ]
}
const file = { format: 'intab-tasks', version: 1, exportedAt: 2_000, tasks: [waiting] }

/** The file with one value changed, or taken out. */
function changed(path: (string | number)[], value?: unknown): unknown {
  const copy = structuredClone(file) as unknown
  let at = copy as Record<string | number, unknown>
  for (const part of path.slice(0, -1)) at = at[part] as typeof at
  const last = path.at(-1) ?? ''
  if (value === undefined) delete at[last]
  else at[last] = value
  return copy
}

function rowsOf(value: unknown, shift = 0): TaskInStores {
  const { tasks, exportedAt } = checkTaskFile(value)
  const [rows] = tasks.map((task) => storedRows(task, 'ada', exportedAt + shift, exportedAt))
  if (rows === undefined) throw new Error('The file has no task')
  return rows
}

let deep: unknown = 1
for (let level = 0; level < 101; level += 1) deep = [deep]

const task0 = ['tasks', 0, 'task']
const message0 = ['tasks', 0, 'messages', 0]

describe('a file of tasks', () => {
  test('is read as it is, with steps that returned nothing', () => {
    expect(checkTaskFile(file)).toEqual(file)
    expect(checkTaskFile({ ...file, tasks: [] })).toEqual({ ...file, tasks: [] })
  })

  test.each<[field: string, value: unknown]>([
    ['format', null],
    ['format', 'half a file'],
    ['format', changed(['format'], 'zip')],
    ['version', changed(['version'], 2)],
    ['version', changed(['version'], 'one')],
    ['exportedAt', changed(['exportedAt'], '2026-12-03')],
    ['exportedAt', changed(['exportedAt'], 1e300)],
    ['tasks', changed(['tasks'])],
    ['tasks', changed(['tasks'], {})],
    ['tasks[0]', changed(['tasks'], [null])],
    ['tasks[0].task.taskId', changed([...task0, 'taskId'], '')],
    ['tasks[0].task.status', changed([...task0, 'status'], 'asleep')],
    ['tasks[0].task.createdAt', changed([...task0, 'createdAt'], -1)],
    ['tasks[0].task.attempt', changed([...task0, 'attempt'], 1.5)],
    ['tasks[0].task', changed([...task0, 'owner'], 'somebody else')],
    ['tasks[0].task.messageCount', changed([...task0, 'messageCount'], 0)],
    ['tasks[0].outcome', changed([...task0, 'status'], 'completed')],
    ['tasks[0].outcome', changed(['tasks', 0, 'outcome'], { result: {} })],
    ['tasks[0].outcome.result', changed(['tasks', 0, 'outcome'], { result: 'done' })],
    ['tasks[0].call.arguments', changed(['tasks', 0, 'call', 'arguments'], [])],
    ['tasks[0].call.arguments', changed(['tasks', 0, 'call', 'arguments'], { deep })],
    ['tasks[0].call.arguments', changed(['tasks', 0, 'call', 'arguments'], { when: new Date() })],
    ['tasks[0].messages[0].kind', changed([...message0, 'kind'], 'rumour')],
    ['tasks[0].messages[0].requestId', changed([...message0, 'requestId'], 'task:another:1')],
    ['tasks[0].messages[0].state', changed([...message0, 'state'], 'lost')],
    ['tasks[0].messages[0].answer', changed([...message0, 'state'], 'answered')],
    ['tasks[0].messages[1].n', changed(['tasks', 0, 'messages'], [asked, asked])],
    ['tasks[0].messages.key', changed(['tasks', 0, 'messages'], [asked, { ...asked, n: 2 }])],
    ['tasks[0].steps.key', changed(['tasks', 0, 'steps'], [{ key: 'a' }, { key: 'a' }])],
    ['tasks[1].task.taskId', changed(['tasks'], [waiting, waiting])]
  ])('is refused by the field that does not fit: %s', (field, value) => {
    const refusal = { code: 'invalid_options', data: { field }, message: expect.stringContaining(field) }
    expect(() => checkTaskFile(value)).toThrow(expect.objectContaining(refusal))
  })

  test('of a newer intab says what to do', () => {
    expect(() => checkTaskFile({ ...file, version: 7, more: 'than we know' })).toThrow(
      /newer intab \(7; this one reads 1\).*Update intab/
    )
  })

  test('becomes rows that nobody runs or shows, whose times and sleeps have moved', () => {
    const { task, messages, steps } = rowsOf(file, 100)
    expect(task).toMatchObject({ owner: 'ada', executor: '', status: 'input_required', openRequests: 1 })
    expect(task).toMatchObject({ createdAt: 1_000, expiresAt: 61_000, ttl: 60_000 })
    expect(task.runs).toEqual([{ attempt: 1, executor: 'a-worker', startedAt: 1_000, endedAt: 1_101 }])
    expect(messages).toEqual([
      {
        ...asked,
        taskId,
        owner: 'ada',
        state: 'pending',
        openTask: taskId,
        enqueuedAt: 1_100,
        deliveredAt: 1_101,
        claimedBy: undefined
      }
    ])
    expect(steps).toEqual([
      { key: 'step:before' },
      { key: 'sleep#1', value: 5_100, at: 1_101 },
      { key: 'step:sleep#1', value: 5_000 },
      { key: 'step:nothing', value: null }
    ])
  })

  test('holds a call of a tab that must not run twice, which fails as when its page closes', () => {
    const call = { ...asked, lent: true, once: true, tab: 'shop', params: { name: 'pay' } }
    const { task, messages } = rowsOf(changed(message0, call))
    expect(task).toMatchObject({ status: 'working', openRequests: 0 })
    expect(messages).toMatchObject([{ state: 'answered', answer: { error: { data: { code: 'may_have_run' } } } }])
  })
})
