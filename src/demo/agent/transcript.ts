// A conversation as a list: what was said, and each call with its task.

import type { TaskInfo } from 'intab'
import { button } from '../button.js'
import { h, setText } from '../dom.js'
import { renderResult } from '../outcome/render-outcome.js'
import { linkTo } from '../router.js'
import { isFinal, nameOf, words } from '../tasks/words.js'
import type { Message, ToolMessage } from './conversations.js'

export class Transcript {
  readonly element = h('ol', { class: 'transcript', 'aria-label': 'Conversation with the agent' })
  readonly #askHere: (taskId: string) => Promise<void>
  readonly #items = new Map<Message, HTMLElement>()
  readonly #cards = new Map<ToolMessage, CallCard>()
  #isAtEnd = true
  /** Scrolls the list alone: the page must not move under a person's hand. */
  readonly #grown = new ResizeObserver(() => {
    if (this.#isAtEnd) this.element.scrollTop = this.element.scrollHeight
  })

  constructor(askHere: (taskId: string) => Promise<void>) {
    this.#askHere = askHere
    this.element.addEventListener('scroll', () => {
      const { scrollTop, clientHeight, scrollHeight } = this.element
      this.#isAtEnd = scrollTop + clientHeight >= scrollHeight - 8
    })
  }

  show(messages: readonly Message[]): void {
    for (const [message, item] of this.#items) {
      if (messages.includes(message)) continue
      item.remove()
      this.#grown.unobserve(item)
      this.#items.delete(message)
      if (message.role === 'tool') this.#cards.delete(message)
    }
    for (const message of messages) {
      if (!this.#items.has(message)) {
        const item = message.role === 'tool' ? this.#card(message) : h('li', { class: message.role }, message.text)
        this.#items.set(message, item)
        this.element.append(item)
        this.#grown.observe(item)
      }
      if (message.role === 'tool') this.#cards.get(message)?.show()
    }
  }

  status(message: ToolMessage, task: TaskInfo): void {
    this.#cards.get(message)?.status(task)
  }

  /** Where a question of the task stands, while its call can be seen. */
  placeOf(taskId: string | undefined): HTMLElement | undefined {
    const card = [...this.#cards.values()].find((each) => each.isOf(taskId))
    return card?.question.checkVisibility() ? card.question : undefined
  }

  #card(message: ToolMessage): HTMLElement {
    const card = new CallCard(message, this.#askHere)
    this.#cards.set(message, card)
    return card.element
  }
}

class CallCard {
  readonly element = h('li', { class: 'tool' })
  /** Holds the task's questions. */
  readonly question = h('div')
  readonly #message: ToolMessage
  readonly #name = h('a', { class: 'title' })
  readonly #pill = h('span', { class: 'pill' })
  readonly #said = h('p', { class: 'hint' })
  readonly #answer: HTMLButtonElement
  readonly #result = h('div')

  constructor(message: ToolMessage, askHere: (taskId: string) => Promise<void>) {
    this.#message = message
    this.#answer = button('Answer here', () => askHere(message.taskId ?? ''), { class: 'small answer-here' })
    this.#answer.hidden = true
    this.element.append(
      h('div', { class: 'agent-bar' }, this.#name, this.#pill, this.#answer),
      this.#said,
      this.question,
      this.#result
    )
    this.#mark('working')
  }

  isOf(taskId: string | undefined): boolean {
    const { taskId: own, result } = this.#message
    return own !== undefined && own === taskId && result === undefined
  }

  show(): void {
    const { call, taskId, result } = this.#message
    setText(this.#name, nameOf({ tool: call.name } as TaskInfo))
    if (taskId !== undefined) this.#name.setAttribute('href', linkTo(taskId))
    if (result === undefined || this.#result.childElementCount > 0) return
    this.#answer.hidden = true
    this.#mark(result.isError ? 'failed' : 'completed')
    setText(this.#said, '')
    this.#result.replaceChildren(renderResult(result))
  }

  status(task: TaskInfo): void {
    this.#mark(task.status)
    this.#answer.hidden = task.status !== 'input_required'
    setText(this.#said, isFinal(task) ? '' : (task.progress?.message ?? task.statusMessage ?? ''))
  }

  #mark(status: TaskInfo['status']): void {
    setText(this.#pill, words[status])
    this.#pill.dataset['status'] = status
  }
}
