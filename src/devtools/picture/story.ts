// What is known of a task, as marks on lanes over time. Pure: the picture and the table draw the same story.

import type { TaskDetails, TaskMessage, TaskStep } from '../../client/describe-task.js'
import { isOver, type TaskInfo } from '../../client/task-info.js'
import { brief, clock, duration, shortName, statusWords } from '../words.js'

export const lanes = ['Runs', 'Steps', 'Sleeps', 'Questions', 'Notifications', 'Status', 'Outcome'] as const
export type Lane = (typeof lanes)[number]

type Moment = 'step' | 'asked' | 'answered' | 'note' | 'status' | 'completed' | 'failed' | 'cancelled'
/** A death lasts from the last sign of life until somebody found it. */
type Kind = Moment | 'run' | 'death' | 'left' | 'sleep' | 'shown'

export interface Mark {
  lane: Lane
  /** How it looks. */
  kind: Kind
  /** Milliseconds since the epoch. */
  from: number
  /** The end of what takes time; the same as `from` for a moment. */
  to: number
  /** What happened. */
  label: string
  detail: string
}

export interface Story {
  from: number
  to: number
  marks: Mark[]
}

const time = Date.parse

/** A task as it was heard of at a time. */
export interface Sighting {
  at: number
  task: TaskInfo
}

/** The story of a task, from its rows and from what was heard of it since the panel was opened. */
export function storyOf(details: TaskDetails, seen: readonly Sighting[], now: number): Story {
  const { task, messages, steps } = details
  const from = time(task.createdAt)
  const end = isOver(task) ? time(task.lastUpdatedAt) : now
  const marks = [
    ...runsOf(details, from, end),
    ...steps.flatMap((step) => stepOf(step, end)),
    ...messages.flatMap((message) => ('requestId' in message ? questionOf(message, end) : [noteOf(message)])),
    ...statusesOf(seen),
    ...outcomeOf(task, end)
  ]
  const to = Math.max(end, ...marks.map((mark) => mark.to), from + 1)
  return { from, to, marks: marks.sort((a, b) => a.from - b.from || a.to - b.to) }
}

/** Runs as they are stored; what was before the first of them is only counted. */
function runsOf({ task, runs, steps, messages }: TaskDetails, from: number, end: number): Mark[] {
  const signs = [...steps.map(({ at }) => at), ...messages.map(({ enqueuedAt }) => enqueuedAt)].map((at) =>
    time(at ?? '')
  )
  const [first] = runs
  const start = first === undefined ? end : time(first.startedAt)
  const unknown = first === undefined ? (task.attempt ?? 1) : first.attempt - 1
  const counted = unknown === 1 ? 'Run 1' : `Runs 1 to ${unknown}`
  const before: Mark[] =
    unknown === 0
      ? []
      : [
          {
            lane: 'Runs',
            kind: 'run',
            from,
            to: start,
            label: counted,
            detail: 'when they began and ended is not stored'
          }
        ]
  const stored = runs.flatMap((run, index): Mark[] => {
    const { attempt, executor, startedAt, endedAt, gaveUp } = run
    const next = runs[index + 1]
    const worker = shortName(executor)
    const begun = time(startedAt)
    const mark = {
      lane: 'Runs',
      kind: 'run',
      label: `Run ${attempt}`,
      detail: `in worker ${worker}`,
      from: begun
    } as const
    if (endedAt === undefined) return [{ ...mark, to: end }]
    if (next === undefined && isOver(task)) return [{ ...mark, to: time(endedAt) }]
    const found = next === undefined ? end : time(next.startedAt)
    // The last that a dead worker wrote; its death was found when another took over.
    const last = Math.max(time(endedAt), ...signs.filter((at) => at >= begun && at <= found))
    const after =
      next === undefined ? 'nobody has taken over' : `run ${next.attempt} goes on in worker ${shortName(next.executor)}`
    const death: Mark = gaveUp
      ? {
          lane: 'Runs',
          kind: 'left',
          from: last,
          to: found,
          label: `Worker ${worker} made way`,
          detail: `for a newer version; ${after}`
        }
      : {
          lane: 'Runs',
          kind: 'death',
          from: last,
          to: found,
          label: `Worker ${worker} died`,
          detail: `between its last write and ${clock(found)}; ${after}`
        }
    return [{ ...mark, to: last }, death]
  })
  return [...before, ...stored]
}

function stepOf({ key, at, until }: TaskStep, end: number): Mark[] {
  if (at === undefined) return []
  const from = time(at)
  if (until === undefined) {
    return [
      { lane: 'Steps', kind: 'step', from, to: from, label: key.replace('step:', ''), detail: 'its value was kept' }
    ]
  }
  const wake = time(until)
  const label = `Sleep of ${duration(wake - from)}`
  return [{ lane: 'Sleeps', kind: 'sleep', from, to: Math.min(wake, end), label, detail: `until ${clock(wake)}` }]
}

/** The sightings at which a value became another. */
const changes = (seen: readonly Sighting[], value: (task: TaskInfo) => unknown): Sighting[] =>
  seen.filter(({ task }, index) => {
    const before = seen[index - 1]
    return before !== undefined && value(before.task) !== value(task)
  })

function questionOf(message: TaskMessage, end: number): Mark[] {
  const { enqueuedAt, deliveredAt, closedAt, state, method, params, answer, tab, here } = message
  const asked = time(enqueuedAt)
  const isOpen = state === 'pending' || state === 'delivered'
  const text = typeof params['message'] === 'string' ? params['message'] : method
  const words =
    answer === undefined ? (state ?? '') : 'error' in answer ? `refused: ${answer.error.message}` : 'answered'
  const given = answer !== undefined && 'result' in answer ? `: ${brief(answer.result)}` : ''
  const detail = isOpen ? (state === 'delivered' ? 'shown, not answered yet' : 'not shown to anybody') : words + given
  const marks: Mark[] = [{ lane: 'Questions', kind: 'asked', from: asked, to: asked, label: `Asked: ${text}`, detail }]
  const closed = closedAt === undefined ? undefined : time(closedAt)
  if (deliveredAt !== undefined) {
    const from = time(deliveredAt)
    const where = tab ?? (here === undefined ? 'in a tab that has gone' : here ? 'in this tab' : 'in another tab')
    const to = closed ?? (state === 'delivered' ? end : from)
    marks.push({
      lane: 'Questions',
      kind: 'shown',
      from,
      to: Math.max(from, to),
      label: `Shown: ${text}`,
      detail: where
    })
  }
  if (closed === undefined) return marks
  const [kind, label] = state === 'answered' ? (['answered', 'Answered'] as const) : (['note', 'Withdrawn'] as const)
  return [
    ...marks,
    { lane: 'Questions', kind, from: closed, to: closed, label: `${label}: ${text}`, detail: words + given }
  ]
}

function noteOf({ enqueuedAt, method, params }: TaskMessage): Mark {
  const at = time(enqueuedAt)
  return { lane: 'Notifications', kind: 'note', from: at, to: at, label: method, detail: brief(params) }
}

/** What the task said of itself while somebody listened. */
const statusesOf = (seen: readonly Sighting[]): Mark[] =>
  changes(seen, ({ status, statusMessage }) => `${status} ${statusMessage}`)
    .filter(({ task }) => !isOver(task))
    .map(({ at, task }) => ({
      lane: 'Status',
      kind: 'status',
      from: at,
      to: at,
      label: statusWords[task.status],
      detail: task.statusMessage ?? ''
    }))

function outcomeOf(task: TaskInfo, end: number): Mark[] {
  const { status, statusMessage = '' } = task
  if (status === 'working' || status === 'input_required') return []
  return [{ lane: 'Outcome', kind: status, from: end, to: end, label: statusWords[status], detail: statusMessage }]
}
