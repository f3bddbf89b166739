// What happened to a task, in order: what is stored, and what this page saw beside it.

import type { TaskDetails, TaskInfo, TaskMessage } from 'intab'
import { h } from '../dom.js'
import { clockTime, shortId } from '../format.js'
import { isFinal, words } from './words.js'

interface Moment {
  /** ISO 8601. */
  time: string
  text: string
  kind: 'task' | 'question' | 'note'
}

function titleOf({ method, params: { message } }: TaskMessage): string {
  if (method === 'sampling/createMessage') return 'the model'
  return typeof message === 'string' ? `“${message}”` : method
}

function answerOf({ answer, method }: TaskMessage): string {
  if (answer === undefined) return 'answered'
  if ('error' in answer) return `refused (${answer.error.message})`
  if (method === 'sampling/createMessage') return 'answered by the model'
  const { action } = answer.result
  return typeof action === 'string' ? `answered: ${action}` : 'answered'
}

const states: Record<NonNullable<TaskMessage['state']>, (message: TaskMessage) => string> = {
  pending: () => 'waits for somebody to show it to',
  delivered: () => 'is on a screen',
  answered: answerOf,
  withdrawn: () => 'withdrawn'
}

function momentsOf(message: TaskMessage): Moment[] {
  const { enqueuedAt, deliveredAt, state, method, params } = message
  if (state === undefined) {
    const said = typeof params['data'] === 'string' ? `: ${params['data']}` : ''
    return [{ time: enqueuedAt, text: `Told ${method}${said}`, kind: 'note' }]
  }
  const asked: Moment = { time: enqueuedAt, text: `Asked ${titleOf(message)}`, kind: 'question' }
  const now: Moment = {
    time: deliveredAt ?? enqueuedAt,
    text: `Its question ${states[state](message)}`,
    kind: 'question'
  }
  return [asked, now]
}

/** The moments of a task that this page saw itself: changes of status, message, worker. */
export class Sightings {
  readonly #moments: Moment[] = []
  #last: TaskInfo | undefined

  see(task: TaskInfo): void {
    const last = this.#last
    this.#last = task
    if (last === undefined) return
    const add = (text: string): unknown => this.#moments.push({ time: new Date().toISOString(), text, kind: 'task' })
    if (task.attempt !== last.attempt) add(`Run ${task.attempt} began in worker ${shortId(task.executor ?? '')}`)
    if (task.status !== last.status && !isFinal(task)) add(`Status became ${words[task.status]}`)
    if (task.statusMessage !== last.statusMessage && task.statusMessage !== undefined && !isFinal(task)) {
      add(task.statusMessage)
    }
  }

  get moments(): readonly Moment[] {
    return this.#moments
  }
}

/** The list of what happened, oldest first. */
export function renderTimeline({ task, messages }: TaskDetails, seen: readonly Moment[]): HTMLElement {
  const attempts = task.attempt ?? 1
  const created: Moment = { time: task.createdAt, text: 'Created', kind: 'task' }
  const runs =
    attempts > 1
      ? [{ time: task.createdAt, text: `Ran ${attempts} times, in as many workers`, kind: 'note' as const }]
      : []
  const ended: Moment[] = isFinal(task)
    ? [{ time: task.lastUpdatedAt, text: `Ended: ${words[task.status]}`, kind: 'task' }]
    : []
  const middle = [...messages.flatMap(momentsOf), ...seen].sort((a, b) => a.time.localeCompare(b.time))
  const moments = [created, ...runs, ...middle, ...ended]
  return h(
    'ol',
    { class: 'timeline', 'aria-label': 'Timeline' },
    ...moments.map(({ time, text, kind }) =>
      h('li', { 'data-kind': kind }, h('time', { datetime: time }, clockTime(time)), h('span', {}, text))
    )
  )
}
