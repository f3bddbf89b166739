// A list of any length, of which only the rows in sight are elements: a listbox, worked by arrow keys.

import { everyFrame, h } from './dom.js'

/** Rows beyond each edge that are there already when they come into sight. */
const margin = 8

export interface VirtualListOptions<T> {
  label: string
  /** Height of a row in px, as the style sheet has it. */
  height: number
  /** Whether the end stays in sight while it is. */
  follows?: boolean
  id(item: T): string
  /** The content of a row. */
  row(item: T): Node[]
  /** The item that was chosen, by a click or a key. */
  onchoose(item: T): void
}

export class VirtualList<T> {
  readonly element: HTMLElement
  readonly #options: VirtualListOptions<T>
  readonly #space = h('div', { class: 'space', role: 'presentation' })
  readonly #frame = everyFrame(() => this.#draw())
  readonly #resized = new ResizeObserver(() => this.#frame.soon())
  /** The rows in sight: kept while their items are the same, so that a click, which takes two events, finds its row. */
  #rows = new Map<string, { item: T; element: HTMLElement }>()
  #items: readonly T[] = []
  #chosen: string | undefined
  /** Height of all rows, as drawn. */
  #total = 0

  constructor(options: VirtualListOptions<T>) {
    this.#options = options
    this.element = h('div', { class: 'list', role: 'listbox', tabindex: 0, 'aria-label': options.label }, this.#space)
    this.element.addEventListener('scroll', () => this.#frame.soon())
    this.element.addEventListener('keydown', (event) => this.#onkey(event))
    this.element.addEventListener('click', ({ target, clientY }) => {
      const row = target instanceof Element ? target.closest('[role=option]') : null
      // A row that was replaced between press and release has no click of its own: the place tells.
      const place = Math.floor((clientY - this.#space.getBoundingClientRect().top) / options.height)
      const item = this.#items[row === null ? place : Number(row.getAttribute('aria-posinset')) - 1]
      if (item !== undefined) this.#choose(item)
    })
    this.#resized.observe(this.element)
  }

  /** Shows the items from the next frame on; where the list is scrolled to stays. */
  show(items: readonly T[], chosen: string | undefined): void {
    this.#items = items
    this.#chosen = chosen
    this.#frame.soon()
  }

  close(): void {
    this.#frame.stop()
    this.#resized.disconnect()
  }

  #draw(): void {
    const { id, row, height, follows = false } = this.#options
    const total = this.#items.length * height
    const isAtEnd = follows && this.element.scrollTop + this.element.clientHeight >= this.#total - 1
    this.#space.style.height = `${total}px`
    this.#total = total
    if (isAtEnd) this.element.scrollTop = total
    const { scrollTop, clientHeight } = this.element
    const first = Math.max(0, Math.floor(scrollTop / height) - margin)
    const last = Math.min(this.#items.length, Math.ceil((scrollTop + clientHeight) / height) + margin)
    const rows = new Map<string, { item: T; element: HTMLElement }>()
    for (const [index, item] of this.#items.slice(first, last).entries()) {
      const known = this.#rows.get(id(item))
      const element = known?.element ?? h('div', { role: 'option', id: `row-${id(item)}` })
      if (known?.item !== item) element.replaceChildren(...row(item))
      element.ariaSelected = String(id(item) === this.#chosen)
      element.ariaSetSize = String(this.#items.length)
      element.ariaPosInSet = String(first + index + 1)
      element.style.transform = `translateY(${(first + index) * height}px)`
      rows.set(id(item), { item, element })
    }
    this.#rows = rows
    const elements = [...rows.values()].map(({ element }) => element)
    const { children } = this.#space
    const isSame = children.length === elements.length && elements.every((each, index) => each === children[index])
    if (!isSame) this.#space.replaceChildren(...elements)
    if (this.#chosen !== undefined && rows.has(this.#chosen)) {
      this.element.setAttribute('aria-activedescendant', `row-${this.#chosen}`)
    } else this.element.removeAttribute('aria-activedescendant')
  }

  #onkey(event: KeyboardEvent): void {
    const { height } = this.#options
    const page = Math.max(1, Math.floor(this.element.clientHeight / height) - 1)
    const at = this.#items.findIndex((item) => this.#options.id(item) === this.#chosen)
    const wanted = new Map([
      ['ArrowDown', at + 1],
      ['ArrowUp', Math.max(0, at - 1)],
      ['PageDown', at + page],
      ['PageUp', at - page],
      ['Home', 0],
      ['End', this.#items.length - 1]
    ]).get(event.key)
    if (wanted === undefined || this.#items.length === 0) return
    event.preventDefault()
    const next = Math.min(this.#items.length - 1, Math.max(0, wanted))
    const item = this.#items[next]
    if (item === undefined) return
    const { scrollTop, clientHeight } = this.element
    const top = next * height
    if (top < scrollTop) this.element.scrollTop = top
    else if (top + height > scrollTop + clientHeight) this.element.scrollTop = top + height - clientHeight
    this.#choose(item)
  }

  #choose(item: T): void {
    this.#chosen = this.#options.id(item)
    this.#frame.soon()
    this.#options.onchoose(item)
  }
}
