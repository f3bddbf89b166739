// The tab Questions: what waits for a person, who shows it since when, and the way to answer it in this tab.

import { listQuestions, type Question, takeQuestion } from '../../client/questions.js'
import { listTasks } from '../../client/tasks.js'
import { watchTasks } from '../../client/updates.js'
import { toError } from '../../errors.js'
import { button, h } from '../dom.js'
import { json } from '../json.js'
import type { Pane } from '../pane.js'
import { clock, duration } from '../words.js'
import type { ConnectedClient } from '../../protocol/connected-client.js'

/** Milliseconds between two reads: a question changes hands without a change of its task. */
const pace = 1000

interface Card {
  /** What the card was made of. */
  key: string
  element: HTMLElement
  waiting: HTMLElement
  since: number
}

const where = ({ here, shown, shownSince }: Question): string => {
  if (!shown) return 'Nobody shows it'
  const since = shownSince === undefined ? '' : ` since ${clock(Date.parse(shownSince))}`
  return `${here ? 'This tab shows it' : 'Another tab shows it'}${since}`
}

export function questionsPane(client: ConnectedClient): Pane {
  const count = h('span', { class: 'count', role: 'status' })
  const trouble = h('p', { class: 'trouble', role: 'alert', hidden: '' })
  const list = h('div', { class: 'cards' })
  const nothing = h('p', { class: 'empty' }, 'No task waits for an answer.')
  const cards = new Map<string, Card>()
  let stop: (() => void) | undefined
  let isClosed = false
  let isReading = false
  let again = false

  const fail = (error: unknown): void => {
    trouble.textContent = toError(error).message
    trouble.hidden = false
  }

  const newCard = (question: Question, tool: string): HTMLElement => {
    const { requestId, taskId, method, params, here } = question
    const take = async (): Promise<void> => {
      await takeQuestion(client, requestId)
      await read()
    }
    const text = typeof params['message'] === 'string' ? params['message'] : method
    const act = button(here ? 'Show it again' : 'Answer here', take, fail)
    return h(
      'article',
      { class: 'card', 'aria-label': `Question of ${tool}` },
      h('div', { class: 'bar' }, h('h2', {}, tool), h('span', { class: 'pill input_required' }, method), act),
      h('p', { class: 'message-line' }, text),
      h('p', { class: 'message-line place' }, where(question)),
      h('p', { class: 'id' }, taskId),
      h('details', {}, h('summary', {}, 'Params'), json(params, 'Params'))
    )
  }

  const show = (questions: readonly Question[], tools: ReadonlyMap<string, string>): void => {
    const open = questions.map((question) => {
      const tool = tools.get(question.taskId) ?? 'task'
      const key = JSON.stringify([tool, question])
      const known = cards.get(question.requestId)
      // A card that says the same stays, and with it the focus and what is unfolded.
      if (known?.key === key) return known
      const element = newCard(question, tool)
      const waiting = h('small', { class: 'push' })
      element.querySelector('.pill')?.after(waiting)
      if (known?.element.querySelector('details')?.open) element.querySelector('details')?.setAttribute('open', '')
      const card = { key, element, waiting, since: Date.parse(question.enqueuedAt) }
      cards.set(question.requestId, card)
      return card
    })
    const ids = new Set(questions.map(({ requestId }) => requestId))
    for (const requestId of cards.keys()) if (!ids.has(requestId)) cards.delete(requestId)
    for (const { waiting, since } of open) waiting.textContent = `waits for ${duration(Date.now() - since)}`
    count.textContent = `${open.length} open`
    const elements = open.length > 0 ? open.map(({ element }) => element) : [nothing]
    const isSame = list.childElementCount === elements.length && elements.every((each, n) => each === list.children[n])
    if (!isSame) list.replaceChildren(...elements)
  }

  /** Reads once more; while that is under way, a second read waits, and a third is the second. */
  const read = async (): Promise<void> => {
    again = isReading
    if (isReading) return
    isReading = true
    try {
      do {
        again = false
        const asking = listTasks(client, { order: 'newest', status: ['input_required'] })
        const [questions, { tasks }] = await Promise.all([listQuestions(client), asking])
        if (isClosed) return
        trouble.hidden = true
        show(questions, new Map(tasks.map(({ taskId, tool = 'task' }) => [taskId, tool])))
      } while (again)
    } finally {
      isReading = false
    }
  }
  const soon = (): void => void read().catch(fail)

  watchTasks(client, { ontask: soon, onremoved: soon }).then((unwatch) => {
    if (isClosed) unwatch()
    else stop = unwatch
  }, fail)
  soon()
  const timer = setInterval(soon, pace)
  return {
    element: h('div', { class: 'questions' }, h('div', { class: 'bar' }, count), trouble, list),
    close() {
      isClosed = true
      clearInterval(timer)
      stop?.()
    }
  }
}
