// What is known of a task, as marks on lanes over time. Pure: the picture and the table draw the same story.

import type { TaskDetails, TaskMessage } from '../../client/describe-task.js'
import { isOver, type TaskInfo } from '../../client/task-info.js'
import { brief, shortName, statusWords } from '../words.js'

export const lanes = ['Runs', 'Questions', 'Notifications', 'Status', 'Outcome'] as const
export type Lane = (typeof lanes)[number]

export interface Mark {
  lane: Lane
  /** How it looks. */
  kind: 'run' | 'death' | 'asked' | 'shown' | 'note' | 'status' | 'completed' | 'failed' | 'cancelled'
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

/** A task as it was heard of at a time. */
export interface Sighting {
  at: number
  task: TaskInfo
}

/** The story of a task, from its rows and from what was heard of it since the panel was opened. */
export function storyOf(details: TaskDetails, seen: readonly Sighting[], now: number): Story {
  const { task, messages } = details
  const from = Date.parse(task.createdAt)
  const end = isOver(task) ? Date.parse(task.lastUpdatedAt) : now
  const marks = [
    ...runsOf(task, seen, from, end),
    ...messages.flatMap((message) => ('requestId' in message ? questionOf(message, end) : [noteOf(message)])),
    ...statusesOf(seen),
    ...outcomeOf(task, end)
  ]
  const to = Math.max(end, ...marks.map((mark) => mark.to), from + 1)
  return { from, to, marks: marks.sort((a, b) => a.from - b.from || a.to - b.to) }
}

/** The rows tell how many runs there were; when a later one began is known only where it was heard. */
function runsOf(task: TaskInfo, seen: readonly Sighting[], from: number, end: number): Mark[] {
  const attempts = task.attempt ?? 1
  const first = seen[0]
  const begun = first === undefined || first.task.attempt === attempts ? [] : changes(seen, ({ attempt }) => attempt)
  const unheard = attempts - begun.length
  const marks: Mark[] = []
  const starts = [{ at: from, task: begun.length > 0 && first ? first.task : task }, ...begun]
  starts.forEach(({ at, task: run }, index) => {
    const next = starts[index + 1]
    const isCounted = index === 0 && unheard > 1
    marks.push({
      lane: 'Runs',
      kind: 'run',
      from: at,
      to: next?.at ?? end,
      label: isCounted ? `Runs 1 to ${unheard}` : `Run ${run.attempt ?? 1}`,
      detail: [
        run.executor === undefined ? '' : `in worker ${shortName(run.executor)}`,
        isCounted ? 'when the later ones began is not stored' : ''
      ]
        .filter(Boolean)
        .join('; ')
    })
    if (next === undefined) return
    const label = `Worker ${shortName(run.executor ?? '')} died`
    const detail = `Run ${next.task.attempt} goes on in worker ${shortName(next.task.executor ?? '')}`
    marks.push({ lane: 'Runs', kind: 'death', from: next.at, to: next.at, label, detail })
  })
  return marks
}

/** The sightings at which a value became another. */
const changes = (seen: readonly Sighting[], value: (task: TaskInfo) => unknown): Sighting[] =>
  seen.filter(({ task }, index) => {
    const before = seen[index - 1]
    return before !== undefined && value(before.task) !== value(task)
  })

function questionOf(message: TaskMessage, end: number): Mark[] {
  const { enqueuedAt, deliveredAt, state, method, params, answer } = message
  const asked = Date.parse(enqueuedAt)
  const isOpen = state === 'pending' || state === 'delivered'
  const text = typeof params['message'] === 'string' ? params['message'] : method
  const words =
    answer === undefined ? (state ?? '') : 'error' in answer ? `refused: ${answer.error.message}` : 'answered'
  const given = answer !== undefined && 'result' in answer ? `: ${brief(answer.result)}` : ''
  const detail = isOpen ? (state === 'delivered' ? 'shown, not answered yet' : 'not shown to anybody') : words + given
  const marks: Mark[] = [{ lane: 'Questions', kind: 'asked', from: asked, to: asked, label: `Asked: ${text}`, detail }]
  if (deliveredAt === undefined) return marks
  const shown = Date.parse(deliveredAt)
  // The time of an answer is not stored: a closed question is a moment.
  const to = isOpen ? end : shown
  return [...marks, { lane: 'Questions', kind: 'shown', from: shown, to, label: `Shown: ${text}`, detail }]
}

function noteOf({ enqueuedAt, method, params }: TaskMessage): Mark {
  const at = Date.parse(enqueuedAt)
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
