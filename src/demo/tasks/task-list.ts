// All tasks of the origin on the screen, with a choice of status and a way to older ones.

import { button } from '../button.js'
import { byId, h, setText } from '../dom.js'
import type { Filter, TaskFeed } from './task-feed.js'
import { type RowActions, TaskRow } from './task-row.js'

const filters: [label: string, filter: Filter][] = [
  ['All', undefined],
  ['Running', ['working']],
  ['Need an answer', ['input_required']],
  ['Completed', ['completed']],
  ['Failed', ['failed']],
  ['Cancelled', ['cancelled']]
]

export class TaskList {
  readonly #feed: TaskFeed
  readonly #actions: RowActions
  readonly #rows = new Map<string, TaskRow>()
  readonly #more: HTMLButtonElement
  #isFiltered = false

  constructor(feed: TaskFeed, actions: RowActions) {
    this.#feed = feed
    this.#actions = actions
    this.#more = button('Show older tasks', () => feed.more(), { class: 'more' })
    this.#more.hidden = true
    byId('tasks').after(this.#more)
    byId('filters').append(...filters.map(([label, filter]) => this.#filterButton(label, filter)))
    feed.onchange = () => this.#show()
  }

  tick(): void {
    for (const row of this.#rows.values()) row.tick()
  }

  #show(): void {
    const { shown, hasMore } = this.#feed
    const ids = new Set(shown.map(({ taskId }) => taskId))
    for (const [taskId, row] of this.#rows) {
      if (ids.has(taskId)) continue
      row.element.remove()
      this.#rows.delete(taskId)
    }
    let before: Element | null = byId('tasks').firstElementChild
    for (const task of shown) {
      const row = this.#rows.get(task.taskId) ?? new TaskRow(task, this.#actions)
      this.#rows.set(task.taskId, row)
      row.show(task)
      // Moving an element takes its focus away, so only what stands elsewhere is moved.
      if (row.element === before) before = before.nextElementSibling
      else byId('tasks').insertBefore(row.element, before)
    }
    this.#more.hidden = !hasMore
    byId('no-tasks').hidden = shown.length > 0
    setText(byId('no-tasks'), this.#isFiltered ? 'No task is like that now.' : 'No tasks yet: run a tool.')
  }

  #filterButton(label: string, filter: Filter): HTMLElement {
    const element = h('button', { type: 'button', class: 'chip', 'aria-pressed': String(filter === undefined) }, label)
    element.addEventListener('click', () => {
      for (const other of byId('filters').children) other.setAttribute('aria-pressed', String(other === element))
      this.#isFiltered = filter !== undefined
      this.#feed.show(filter).catch(this.#onerror)
    })
    return element
  }

  readonly #onerror = (error: unknown): void => {
    setText(byId('no-tasks'), `The tasks cannot be read: ${String(error)}`)
    byId('no-tasks').hidden = false
  }
}
