// A task as a row of the list, that changes with it.

import type { TaskInfo } from 'intab'
import { button } from '../button.js'
import { h, setText, uniqueId } from '../dom.js'
import { age, duration, shortId } from '../format.js'
import { linkTo } from '../router.js'
import { progressBar } from './progress-bar.js'
import { endOfLife, isFinal, nameOf, words } from './words.js'

export interface RowActions {
  cancel(taskId: string): Promise<unknown>
  /** Brings the task's open questions to this tab. */
  askHere(taskId: string): Promise<unknown>
}

export class TaskRow {
  readonly element = h('li', { class: 'row' })
  readonly #link: HTMLAnchorElement
  readonly #message = h('p', { class: 'message' })
  readonly #bar = progressBar()
  readonly #pill = h('span', { class: 'pill' })
  readonly #times = h('span')
  readonly #worker = h('span', { class: 'worker' })
  readonly #buttons: HTMLElement
  readonly #askHere: HTMLButtonElement
  readonly #cancel: HTMLButtonElement
  #task: TaskInfo

  constructor(task: TaskInfo, actions: RowActions) {
    this.#task = task
    this.#link = h('a', { href: linkTo(task.taskId), class: 'title', id: uniqueId('task') })
    this.#askHere = button('Answer here', () => actions.askHere(task.taskId), { class: 'small' })
    this.#cancel = button('Cancel', () => actions.cancel(task.taskId), { class: 'small' })
    this.#buttons = h('div', { class: 'buttons' }, this.#askHere, this.#cancel)
    this.element.dataset['taskId'] = task.taskId
    this.element.append(
      h('div', { class: 'row-main' }, this.#link, this.#message, this.#bar.element),
      h('div', { class: 'row-side' }, this.#pill, this.#buttons),
      h('p', { class: 'facts' }, this.#times, this.#worker)
    )
    this.show(task)
  }

  show(task: TaskInfo): void {
    this.#task = task
    const { status, statusMessage = '', progress, executor } = task
    this.element.dataset['status'] = status
    setText(this.#link, nameOf(task))
    const said = isFinal(task) ? statusMessage : (progress?.message ?? statusMessage)
    setText(this.#message, said)
    this.#bar.show(isFinal(task) ? undefined : progress, nameOf(task))
    setText(this.#pill, words[status])
    this.#pill.dataset['status'] = status
    setText(this.#worker, executor === undefined || isFinal(task) ? '' : `worker ${shortId(executor)}`)
    this.#askHere.hidden = status !== 'input_required'
    this.#cancel.hidden = isFinal(task)
    this.#buttons.hidden = isFinal(task)
    this.tick()
  }

  /** Brings the ages up to date. */
  tick(): void {
    const end = endOfLife(this.#task)
    const left = end === undefined ? 'kept for good' : `${duration(end - Date.now())} left`
    setText(this.#times, `${age(this.#task.createdAt)} · ${left}`)
  }
}
