// A task as a card that changes with it.

import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { TaskInfo } from 'intab'
import { h } from './dom.js'
import { renderError, renderResult } from './render-outcome.js'

export interface TaskActions {
  cancel(taskId: string): Promise<unknown>
  /** Brings the task's open question to this tab. */
  askHere(taskId: string): Promise<unknown>
  result(taskId: string): Promise<CallToolResult>
}

const words: Record<TaskInfo['status'], string> = {
  working: 'working',
  input_required: 'needs an answer',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled'
}

export const isFinal = ({ status }: TaskInfo): boolean => status !== 'working' && status !== 'input_required'

/** What to call a task: its tool, which only intab tells. */
export const nameOf = (task: TaskInfo): string => task.tool ?? 'task'

/** One task on the screen; `show` brings it up to date. */
export class TaskCard {
  readonly element = h('li', { class: 'card' })
  readonly #actions: TaskActions
  readonly #pill = h('span', { class: 'pill' })
  readonly #message = h('p', { class: 'hint' })
  readonly #buttons = h('div', { class: 'buttons' })
  readonly #result = h('div')
  readonly #onerror: (error: unknown) => void
  #status: TaskInfo['status'] | undefined
  #hasResult = false

  constructor(task: TaskInfo, actions: TaskActions, onerror: (error: unknown) => void) {
    this.#actions = actions
    this.#onerror = onerror
    const started = new Date(task.createdAt)
    const time = h(
      'time',
      { datetime: task.createdAt, title: started.toLocaleString() },
      started.toLocaleTimeString([], { timeStyle: 'short' })
    )
    const head = h('div', { class: 'card-head' }, h('h3', {}, nameOf(task)), time, this.#pill)
    this.element.dataset['taskId'] = task.taskId
    this.element.append(head, this.#message, this.#result, this.#buttons)
    this.show(task)
  }

  show(task: TaskInfo): void {
    this.#message.textContent = task.statusMessage ?? ''
    if (task.status === this.#status) return
    this.#status = task.status
    this.#pill.textContent = words[task.status]
    this.#pill.dataset['status'] = task.status
    this.#buttons.replaceChildren(...this.#buttonsFor(task))
  }

  #buttonsFor(task: TaskInfo): HTMLElement[] {
    const { taskId } = task
    if (this.#hasResult) return []
    if (isFinal(task)) return [this.#button('Show result', () => this.showResult(this.#actions.result(taskId)))]
    const cancel = this.#button('Cancel', () => this.#actions.cancel(taskId))
    if (task.status === 'working') return [cancel]
    return [this.#button('Ask me here', () => this.#actions.askHere(taskId)), cancel]
  }

  /** Shows the result when it comes, or the error that comes instead. */
  async showResult(result: Promise<CallToolResult>): Promise<void> {
    this.#result.replaceChildren(await result.then(renderResult, renderError))
    this.#hasResult = true
    this.#message.hidden = true
    this.#buttons.replaceChildren()
  }

  #button(label: string, act: () => Promise<unknown>): HTMLButtonElement {
    const button = h('button', { type: 'button' }, label)
    button.addEventListener('click', () => {
      button.disabled = true
      act()
        .catch(this.#onerror)
        .finally(() => (button.disabled = false))
    })
    return button
  }
}
