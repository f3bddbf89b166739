// All tasks of the origin, newest first, as they change in whichever tab.

import type { TaskInfo } from 'intab'
import { byId } from './dom.js'
import type { TaskActions } from './task-card.js'
import { nameOf, TaskCard } from './task-card.js'

export class TaskList {
  readonly #cards = new Map<string, { card: TaskCard; task: TaskInfo }>()
  readonly #actions: TaskActions
  readonly #onerror: (error: unknown) => void

  constructor(actions: TaskActions, onerror: (error: unknown) => void) {
    this.#actions = actions
    this.#onerror = onerror
  }

  /** Shows a task, or its change; an older state that comes late is left out. */
  show(task: TaskInfo): TaskCard {
    const known = this.#cards.get(task.taskId)
    if (known) {
      if ((task.revision ?? Infinity) < (known.task.revision ?? 0)) return known.card
      known.task = task
      known.card.show(task)
      return known.card
    }
    const card = new TaskCard(task, this.#actions, this.#onerror)
    this.#cards.set(task.taskId, { card, task })
    this.#insert(task, card)
    return card
  }

  /** Shows these and no others, as the list of an origin may have lost some. */
  replace(tasks: readonly TaskInfo[]): void {
    const ids = new Set(tasks.map(({ taskId }) => taskId))
    for (const [taskId, { card }] of this.#cards) {
      if (ids.has(taskId)) continue
      card.element.remove()
      this.#cards.delete(taskId)
    }
    for (const task of tasks) this.show(task)
    byId('no-tasks').hidden = this.#cards.size > 0
  }

  /** Says a change to those who do not see it. */
  announce(task: TaskInfo): void {
    byId('announcer').textContent = `${nameOf(task)}: ${task.status.replace('_', ' ')}`
  }

  #insert(task: TaskInfo, card: TaskCard): void {
    const older = [...this.#cards.values()]
      .filter((other) => other.card !== card && other.task.createdAt <= task.createdAt)
      .sort((a, b) => b.task.createdAt.localeCompare(a.task.createdAt))[0]
    byId('tasks').insertBefore(card.element, older?.card.element ?? null)
    byId('no-tasks').hidden = true
  }
}
