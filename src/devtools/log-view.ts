// What happened, line by line, the newest last: searched, looked into and copied. It holds a limited number of lines.

import { button, everyFrame, h } from './dom.js'
import { json } from './json.js'
import { clock } from './words.js'
import { VirtualList } from './virtual-list.js'

/** Lines that are kept; the oldest make room. */
const most = 5000

export interface Line {
  /** Unique. */
  n: number
  /** Milliseconds since 1970. */
  at: number
  /** The word that tells its kind, a class for its colour. */
  kind: string
  /** What a search looks in. */
  text: string
  /** What is copied, and shown when the line is chosen. */
  whole: unknown
}

export interface LogViewOptions {
  label: string
  empty: string
  onerror(error: unknown): void
}

export class LogView<L extends Line> {
  readonly element: HTMLElement
  readonly #search = h('input', { type: 'search', placeholder: 'Search', 'aria-label': 'Search the log' })
  readonly #count = h('span', { class: 'count', role: 'status' })
  readonly #detail = h('div', { class: 'looked-into', hidden: '' })
  readonly #nothing: HTMLElement
  readonly #list: VirtualList<L>
  readonly #frame = everyFrame(() => this.#draw())
  /** Decides, beside the search, which lines are shown. */
  #fits: (line: L) => boolean = () => true
  #lines: L[] = []
  #shown: L[] = []
  #chosen: L | undefined
  #dropped = 0

  /** The controls come first in its bar. */
  constructor({ label, empty, onerror }: LogViewOptions, ...controls: Node[]) {
    this.#nothing = h('p', { class: 'empty' }, empty)
    this.#list = new VirtualList<L>({
      label,
      height: 24,
      follows: true,
      id: ({ n }) => String(n),
      row: ({ at, kind, text }) => [
        h('small', {}, clock(at)),
        h('b', { class: kind }, kind),
        h('span', { class: 'message' }, text.slice(0, 300))
      ],
      onchoose: (line) => this.#look(line)
    })
    const copy = button('Copy', () => navigator.clipboard.writeText(this.#copied()), onerror)
    copy.title = 'The chosen line, or all that are shown'
    const clear = button('Clear', () => this.clear(), onerror)
    this.#search.addEventListener('input', () => this.refresh())
    this.element = h(
      'section',
      { class: 'log', 'aria-label': label },
      h('div', { class: 'bar' }, ...controls, this.#search, this.#count, copy, clear),
      this.#nothing,
      this.#list.element,
      this.#detail
    )
    this.#frame.soon()
  }

  add(lines: readonly L[], dropped = 0): void {
    if (lines.length === 0 && dropped === 0) return
    this.#lines.push(...lines)
    this.#shown.push(...lines.filter((line) => this.#isShown(line)))
    this.#dropped += dropped
    const surplus = this.#lines.length - most
    if (surplus > 0) {
      const [first] = this.#lines.splice(0, surplus).slice(-1)
      this.#dropped += surplus
      const gone = this.#shown.findIndex(({ n }) => n > (first?.n ?? 0))
      this.#shown.splice(0, gone < 0 ? this.#shown.length : gone)
    }
    this.#frame.soon()
  }

  /** Shows the lines for which the condition holds. */
  filter(fits: (line: L) => boolean): void {
    this.#fits = fits
    this.refresh()
  }

  refresh(): void {
    this.#shown = this.#lines.filter((line) => this.#isShown(line))
    this.#frame.soon()
  }

  clear(): void {
    this.#lines = []
    this.#dropped = 0
    this.#look(undefined)
    this.refresh()
  }

  close(): void {
    this.#frame.stop()
    this.#list.close()
  }

  #isShown(line: L): boolean {
    const words = this.#search.value.toLowerCase().split(/\s+/).filter(Boolean)
    if (!this.#fits(line)) return false
    if (words.length === 0) return true
    const text = `${line.kind} ${line.text}`.toLowerCase()
    return words.every((word) => text.includes(word))
  }

  #copied(): string {
    const whole = this.#chosen === undefined ? this.#shown.map((line) => line.whole) : this.#chosen.whole
    return JSON.stringify(whole, null, 2)
  }

  #look(line: L | undefined): void {
    this.#chosen = this.#chosen === line ? undefined : line
    this.#detail.hidden = this.#chosen === undefined
    this.#detail.replaceChildren(...(this.#chosen === undefined ? [] : [json(this.#chosen.whole, 'The chosen line')]))
    this.#frame.soon()
  }

  #draw(): void {
    const [shown, all] = [this.#shown.length, this.#lines.length]
    this.#count.textContent = `${shown} of ${all}${this.#dropped > 0 ? `, ${this.#dropped} older ones dropped` : ''}`
    this.#nothing.hidden = shown > 0
    this.#list.element.hidden = shown === 0
    this.#list.show(this.#shown, this.#chosen === undefined ? undefined : String(this.#chosen.n))
  }
}
