// The open questions of the origin, told in every tab: a count in the title, and a line for each.

import { listQuestions, type Question, takeQuestion } from 'intab'
import { showError } from '../alerts.js'
import { button } from '../button.js'
import type { Connection } from '../connection.js'
import { byId, h } from '../dom.js'
import { dropDrafts } from '../form/drafts.js'
import type { Dialogs } from './dialogs.js'

const textOf = ({ method, params }: Question): string =>
  method === 'sampling/createMessage' ? 'A tool asks the model' : String(params['message'])

export class Banner {
  readonly #connection: Connection
  readonly #dialogs: Dialogs
  readonly #title = document.title
  #questions: Question[] = []
  #reading = false
  #again = false

  constructor(connection: Connection, dialogs: Dialogs) {
    this.#connection = connection
    this.#dialogs = dialogs
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
    const text = count === 1 ? 'A question waits for an answer' : `${count} questions wait for an answer`
    const heading = h('h2', { id: 'questions-title' }, text)
    byId('questions').replaceChildren(heading, h('ul', {}, ...this.#questions.map((question) => this.#line(question))))
  }

  #line(question: Question): HTMLElement {
    const { requestId, shown } = question
    const here = this.#dialogs.ids.includes(requestId)
    const where = here ? 'in this tab' : shown ? 'in another tab' : 'on no screen'
    const act = here
      ? button('Answer', () => this.#dialogs.reopen(requestId), { class: 'small' })
      : button('Take over here', () => takeQuestion(this.#connection.client, requestId), { class: 'small' })
    return h('li', {}, h('span', { class: 'question' }, textOf(question)), h('span', { class: 'hint' }, where), act)
  }
}
