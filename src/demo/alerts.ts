import { byId, h } from './dom.js'

/** Shows what went wrong until the person dismisses it. */
export function showError(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error)
  notify(text.replace(/^MCP error -?\d+: /, ''), 'alert')
}

/** Shows a message, with a way to act on it where there is one; what is on the screen already is not shown twice. */
export function notify(text: string, kind: 'alert' | 'note' = 'note', ...actions: HTMLElement[]): void {
  const known = [...byId('alerts').children].find((other) => other.firstElementChild?.textContent === text)
  known?.remove()
  const close = h('button', { type: 'button', class: 'quiet', 'aria-label': 'Dismiss' }, '×')
  const note = h('div', { class: kind }, h('p', {}, text), ...actions, close)
  close.addEventListener('click', () => note.remove())
  byId('alerts').append(note)
}
