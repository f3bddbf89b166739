import { button } from '../button.js'
import { h } from '../dom.js'

/** A thing that may go wrong, made to go wrong at the press of a button. */
export interface Accident {
  title: string
  /** What happens, and what should survive it. */
  description: string
  label: string
  /** Makes it happen; resolves with what is left to say. May tell in between. */
  run(tell: (text: string) => void): Promise<string[]>
}

/** An accident as a card: what happens, the button, and below it what survived. */
export function accidentCard({ title, description, label, run }: Accident): HTMLElement {
  const said = h('ul', { class: 'survived', role: 'status' })
  const tell = (...lines: string[]): void => said.replaceChildren(...lines.map((line) => h('li', {}, line)))
  const act = button(label, async () => {
    tell('…')
    try {
      tell(...(await run(tell)))
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error))
    }
  })
  return h('div', { class: 'accident' }, h('h3', {}, title), h('p', { class: 'hint' }, description), act, said)
}
