// Questions of the server, one at a time, as modal dialogs.

import { h, uniqueId } from './dom.js'

interface DialogContent<Answer> {
  title: string
  /** What stands between the title and the buttons. */
  body: Node[]
  /** What the main button sends. Undefined: something is wrong, and the form shows what. */
  submit: { label: string; read: (form: HTMLFormElement) => Answer | undefined }
  decline: { label: string; answer: Answer }
  /** The answer when the dialog is dismissed, with Escape for example. */
  dismissed: Answer
}

let last: Promise<unknown> = Promise.resolve()

/**
 * Shows a dialog once those before it are gone, and resolves with the person's answer.
 * Rejects, and closes the dialog, when the signal aborts: the question was withdrawn, or moved to another tab.
 */
export function ask<Answer>(content: DialogContent<Answer>, signal: AbortSignal): Promise<Answer> {
  const answer = last.then(() => show(content, signal))
  // The next one waits for the end of this one, whatever it is; the caller hears of the failure.
  last = answer.catch(() => undefined)
  return answer
}

function show<Answer>(content: DialogContent<Answer>, signal: AbortSignal): Promise<Answer> {
  signal.throwIfAborted()
  const title = h('h2', { id: uniqueId('title') }, content.title)
  const decline = h('button', { type: 'button' }, content.decline.label)
  const submit = h('button', { type: 'submit', class: 'primary' }, content.submit.label)
  const buttons = h('div', { class: 'buttons' }, decline, submit)
  const form = h('form', { novalidate: true }, title, ...content.body, buttons)
  const dialog = h('dialog', { 'aria-labelledby': title.id }, form)
  document.body.append(dialog)

  return new Promise<Answer>((resolve, reject) => {
    const end = (settle: () => void): void => {
      signal.removeEventListener('abort', withdraw)
      settle()
      dialog.close()
      dialog.remove()
    }
    const withdraw = (): void => end(() => reject(signal.reason as Error))
    signal.addEventListener('abort', withdraw)
    decline.addEventListener('click', () => end(() => resolve(content.decline.answer)))
    dialog.addEventListener('cancel', () => end(() => resolve(content.dismissed)))
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      const answer = content.submit.read(form)
      if (answer !== undefined) end(() => resolve(answer))
    })
    dialog.showModal()
  })
}
