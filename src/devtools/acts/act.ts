// Something that may go wrong, made to go wrong at the press of a button.

import { toError } from '../../errors.js'
import { button, h } from '../dom.js'

/** A fault to try out. */
export interface Act {
  /** The heading of its card. */
  title: string
  /** What happens, and what should survive it. */
  description: string
  /** On the button. */
  label: string
  /**
   * Makes it happen; resolves with the sentences that remain to be said. `tell` shows one meanwhile. The signal aborts
   * when the panel is closed.
   */
  run(tell: (text: string) => void, signal: AbortSignal): Promise<string[]>
}

/** An act as a card: what happens, the button, and below it what survived. */
export function actCard({ title, description, label, run }: Act, signal: AbortSignal): HTMLElement {
  const said = h('div', { role: 'status' })
  const tell = (...lines: string[]): void =>
    said.replaceChildren(h('ul', {}, ...lines.map((line) => h('li', {}, line))))
  const fail = (error: unknown): void => tell(toError(error).message)
  const act = button(
    label,
    async () => {
      tell('…')
      // Not disabled meanwhile, which would take the focus from who pressed it.
      act.ariaDisabled = 'true'
      await run(tell, signal)
        .then((lines) => tell(...lines), fail)
        .finally(() => (act.ariaDisabled = null))
    },
    fail
  )
  act.addEventListener('click', (event) => act.ariaDisabled === 'true' && event.stopImmediatePropagation(), true)
  return h('article', { class: 'card', 'aria-label': title }, h('h3', {}, title), h('p', {}, description), act, said)
}
