// Questions of the server: in place where the page has one for them, else as modal dialogs, one at a time. One that is set
// aside waits without an answer.

import { h, uniqueId } from '../dom.js'
import { keepDraft } from '../form/drafts.js'

/** A button and the answer that it gives. Undefined: something is wrong, and the form shows what. */
export interface Choice<Answer> {
  label: string
  answer(): Answer | undefined
}

export interface DialogContent<Answer> {
  title: string
  /** What stands between the title and the buttons. */
  body: Node[]
  submit: Choice<Answer>
  others: Choice<Answer>[]
  /** The answer to Escape; without it Escape sets the question aside. */
  dismissed?: Answer
}

interface Entry {
  id: string
  dialog: HTMLDialogElement
  aside: boolean
  /** Where it stands in the page; a modal dialog has no place. */
  place: HTMLElement | undefined
}

export class Dialogs {
  /** Called when a question comes, goes, is set aside or opened again. */
  onchange: () => void = () => undefined
  /** The visible place for a question, if the page has one. */
  placeOf: (id: string) => HTMLElement | undefined = () => undefined
  readonly #entries: Entry[] = []

  /** Ids of the questions that this tab holds. */
  get ids(): string[] {
    return this.#entries.map(({ id }) => id)
  }

  /**
   * Shows a dialog once those before it are gone, and resolves with the person's answer. Rejects, and closes the dialog,
   * when the signal aborts: the question was withdrawn, or moved to another tab. What is typed is kept under the id.
   */
  ask<Answer>(id: string, content: DialogContent<Answer>, signal: AbortSignal): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      signal.throwIfAborted()
      const entry: Entry = { id, dialog: h('dialog'), aside: false, place: undefined }
      const end = (settle: () => void): void => {
        signal.removeEventListener('abort', withdraw)
        this.#entries.splice(this.#entries.indexOf(entry), 1)
        entry.dialog.close()
        entry.dialog.remove()
        settle()
        this.#next()
      }
      const withdraw = (): void => end(() => reject(signal.reason as Error))
      signal.addEventListener('abort', withdraw)
      const give = (answer: Answer | undefined): void => {
        if (answer !== undefined) end(() => resolve(answer))
      }
      this.#fill(entry, content, give)
      this.#entries.push(entry)
      document.body.append(entry.dialog)
      this.#next()
    })
  }

  /** Opens a question that was set aside, or goes to where it stands in the page. */
  reopen(id: string): void {
    const entry = this.#entries.find((each) => each.id === id)
    if (entry) entry.aside = false
    this.#next()
    if (entry?.place === undefined) return
    entry.dialog.scrollIntoView({ block: 'nearest' })
    entry.dialog.querySelector<HTMLElement>('[autofocus]')?.focus({ preventScroll: true })
  }

  /** Call when places came or went: moves each question to its own, with what was typed. */
  refresh(): void {
    if (this.#entries.some(({ id, place }) => this.placeOf(id) !== place)) this.#next()
  }

  #fill<Answer>(
    entry: Entry,
    { title, body, submit, others, dismissed }: DialogContent<Answer>,
    give: (answer: Answer | undefined) => void
  ): void {
    const heading = h('h2', { id: uniqueId('title'), tabindex: '-1' }, title)
    const later = h('button', { type: 'button', class: 'quiet later' }, 'Later')
    const buttons = others.map(({ label, answer }) => {
      const button = h('button', { type: 'button' }, label)
      button.addEventListener('click', () => give(answer()))
      return button
    })
    const main = h('button', { type: 'submit', class: 'primary' }, submit.label)
    const form = h(
      'form',
      { novalidate: true },
      h('div', { class: 'dialog-head' }, heading, later),
      ...body,
      h('div', { class: 'buttons' }, ...buttons, main)
    )
    entry.dialog.setAttribute('aria-labelledby', heading.id)
    entry.dialog.append(form)
    // The first thing to do is the question itself; a stray Enter must not give an answer that nobody read.
    const first =
      form.querySelector<HTMLElement>('[autofocus]') ?? form.querySelector<HTMLElement>('input, select, textarea')
    const focus = first ?? heading
    focus.autofocus = true
    keepDraft(form, entry.id)
    const setAside = (): void => {
      entry.aside = true
      entry.dialog.close()
      this.#next()
    }
    later.addEventListener('click', setAside)
    entry.dialog.addEventListener('cancel', (event) => {
      event.preventDefault()
      if (dismissed === undefined) setAside()
      else give(dismissed)
    })
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      give(submit.answer())
    })
  }

  #move(entry: Entry): void {
    const { id, dialog } = entry
    const place = this.placeOf(id)
    if (place === entry.place) return
    entry.place = place
    dialog.close()
    ;(place ?? document.body).append(dialog)
    dialog.classList.toggle('in-place', place !== undefined)
    dialog.toggleAttribute('open', place !== undefined)
    if (place === undefined) dialog.removeAttribute('role')
    else dialog.setAttribute('role', 'group')
  }

  #next(): void {
    for (const entry of this.#entries) this.#move(entry)
    const modal = this.#entries.filter(({ place }) => place === undefined)
    if (!modal.some(({ dialog }) => dialog.open)) modal.find(({ aside }) => !aside)?.dialog.showModal()
    this.onchange()
  }
}
