// The open questions of the origin, told in every tab: a count in the title, and a line for each.

import { listQuestions, type Question, takeQuestion } from 'intab'
import { showError } from '../alerts.js'
import { button } from '../button.js'
import type { Connection } from '../connection.js'
import { byId, h, setText } from '../dom.js'
import { dropDrafts } from '../form/drafts.js'
import type { Dialogs } from './dialogs.js'

const textOf = ({ method, params }: Question): string =>
  method === 'sampling/createMessage' ? 'A tool asks the model' : String(params['message'])

export class Banner {
  readonly #connection: Connection
  readonly #dialogs: Dialogs
  readonly #title = document.title
  readonly #heading = h('h2', { id: 'questions-title' })
  readonly #list = h('ul')
  /** By request: its line, and what that says. A line that says the same stays, or a click on it would be lost. */
  readonly #lines = new Map<string, { line: HTMLElement; says: string }>()
  #questions: Question[] = []
  #reading = false
  #again = false

  constructor(connection: Connection, dialogs: Dialogs) {
    this.#connection = connection
    this.#dialogs = dialogs
    byId('questions').append(this.#heading, this.#list)
  }

  get questions(): readonly Question[] {
    return this.#questions
  }

  /** Reads the questions anew; calls while it reads are merged, and without a connection there is nothing to read. */
  refresh(): void {
    const { client, state } = this.#connection
    if (state === 'closed') return
    if (this.#reading) {
      this.#again = true
      return
    }
    this.#reading = true
    this.#again = false
    listQuestions(client)
      .then((questions) => {
        this.#questions = questions
        dropDrafts(questions.map(({ requestId }) => requestId))
        this.show()
      })
      .catch((error: unknown) => {
        if (this.#connection.state !== 'closed') showError(error)
      })
      .finally(() => {
        this.#reading = false
        if (this.#again) this.refresh()
      })
  }

  show(): void {
    const count = this.#questions.length
    document.title = count === 0 ? this.#title : `(${count}) ${this.#title}`
    byId('questions').hidden = count === 0
    setText(this.#heading, count === 1 ? 'A question waits for an answer' : `${count} questions wait for an answer`)
    for (const [id, { line }] of this.#lines) {
      if (this.#questions.some(({ requestId }) => requestId === id)) continue
      line.remove()
      this.#lines.delete(id)
    }
    for (const question of this.#questions) this.#update(question)
  }

  #update(question: Question): void {
    const { requestId, shown } = question
    const here = this.#dialogs.ids.includes(requestId)
    const where = here ? 'in this tab' : shown ? 'in another tab' : 'on no screen'
    const says = `${textOf(question)} ${where}`
    const before = this.#lines.get(requestId)
    if (before?.says === says) return
    const act = here
      ? button('Answer', () => this.#dialogs.reopen(requestId), { class: 'small' })
      : button('Take over here', () => takeQuestion(this.#connection.client, requestId), { class: 'small' })
    const parts = [h('span', { class: 'question' }, textOf(question)), h('span', { class: 'hint' }, where), act]
    const line = before?.line ?? h('li')
    line.replaceChildren(...parts)
    if (before === undefined) this.#list.append(line)
    this.#lines.set(requestId, { line, says })
  }
}
