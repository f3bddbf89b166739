// A story as an SVG time line: lanes, marks, zoom and details. Each mark can be reached by the arrow keys.

import { button, h, svg } from '../dom.js'
import { clock, duration, ticks } from '../words.js'
import { lanes, type Mark, type Story } from './story.js'

const left = 104
const right = 16
const lane = 30
const top = 26
const narrowest = 1
const hint = 'Point at a mark, or move through them with the arrow keys.'

export class Picture {
  readonly element: HTMLElement
  readonly #svg = svg('svg', { class: 'picture', role: 'group' })
  readonly #tip = h('div', { class: 'tip hint' }, hint)
  readonly #resized = new ResizeObserver(() => this.#draw())
  #story: Story = { from: 0, to: 1, marks: [] }
  /** The part in sight; undefined for all. */
  #sight: { from: number; to: number } | undefined
  #focused = 0

  constructor(label: string) {
    const ignore = (): void => undefined
    this.#svg.setAttribute('aria-label', `Time line of ${label}. The table below says the same.`)
    const zooms: [sign: string, name: string, act: () => void][] = [
      ['−', 'Zoom out', () => this.#zoom(2)],
      ['+', 'Zoom in', () => this.#zoom(0.5)],
      ['All', 'Show all', () => this.#see(undefined)]
    ]
    this.element = h(
      'div',
      { class: 'time-line' },
      h(
        'div',
        { class: 'bar' },
        h('h3', {}, 'Time line'),
        ...zooms.map(([sign, name, act], index) => {
          const zoom = button(sign, act, ignore)
          zoom.className = index === 0 ? 'zoom push' : 'zoom'
          zoom.ariaLabel = zoom.title = name
          return zoom
        })
      ),
      this.#svg,
      this.#tip
    )
    this.#svg.addEventListener('keydown', (event) => this.#onkey(event))
    for (const type of ['pointerover', 'focusin']) this.#svg.addEventListener(type, ({ target }) => this.#tell(target))
    for (const type of ['pointerleave', 'focusout']) this.#svg.addEventListener(type, () => this.#tell(null))
    this.#svg.addEventListener('wheel', (event) => this.#onwheel(event), { passive: false })
    this.#resized.observe(this.element)
  }

  show(story: Story): void {
    this.#story = story
    this.#draw()
  }

  close(): void {
    this.#resized.disconnect()
  }

  get #range(): { from: number; to: number } {
    return this.#sight ?? this.#story
  }

  /** Zooms around a place, 0 being the left edge and 1 the right one. */
  #zoom(factor: number, place = 0.5): void {
    const { from, to } = this.#range
    const width = Math.max(narrowest, (to - from) * factor)
    const start = from + (to - from) * place - width * place
    this.#see(width >= this.#story.to - this.#story.from ? undefined : { from: start, to: start + width })
  }

  #see(sight: { from: number; to: number } | undefined): void {
    this.#sight = sight
    this.#draw()
  }

  #draw(): void {
    const width = Math.max(left + right + 80, this.element.clientWidth)
    const { from, to } = this.#range
    const x = (time: number): number =>
      Math.min(width, Math.max(left - 8, left + ((time - from) / (to - from)) * (width - left - right)))
    const used = lanes.filter((name) => this.#story.marks.some((mark) => mark.lane === name))
    const height = top + used.length * lane + 4
    const hadFocus = this.#svg.contains(this.#active)
    this.#svg.setAttribute('viewBox', `0 0 ${width} ${height}`)
    this.#svg.setAttribute('height', String(height))
    const start = this.#story.from
    const grid = ticks(from, to, start, Math.floor((width - left) / 130) + 1).flatMap((after) => {
      const at = x(start + after)
      const text = at > width - 50 ? [] : [svg('text', { x: at + 4, y: 14, class: 'tick' }, `+${duration(after)}`)]
      return [svg('line', { x1: at, x2: at, y1: 4, y2: height, class: 'grid' }), ...text]
    })
    const stripes = used.flatMap((_, row) =>
      row % 2 === 1 ? [] : [svg('rect', { x: 0, y: top + row * lane, width, height: lane, class: 'stripe' })]
    )
    const names = used.map((name, row) =>
      svg('text', { x: 10, y: top + row * lane + 19, class: 'lane', 'aria-hidden': 'true' }, name)
    )
    const marks = this.#story.marks.map((mark, index) => {
      const y = top + used.indexOf(mark.lane) * lane
      const group = this.#mark(mark, x(mark.from), x(mark.to), y, height)
      group.dataset['index'] = String(index)
      const isOut = mark.to < from || mark.from > to
      group.setAttribute('class', `mark ${mark.kind}${isOut ? ' out' : ''}`)
      group.setAttribute('tabindex', index === this.#focused ? '0' : '-1')
      return group
    })
    this.#svg.replaceChildren(...stripes, ...grid, ...names, ...marks)
    if (hadFocus) marks[this.#focused]?.focus()
  }

  #mark({ kind, label, detail, from, to }: Mark, x1: number, x2: number, y: number, bottom: number): SVGGElement {
    const words = `${label}. ${detail} ${clock(from)}${to > from ? `, for ${duration(to - from)}` : ''}`
    const isGap = kind === 'death' || kind === 'left'
    const shape = isGap
      ? svg('path', { d: `M${x2 - 5} ${y + 10}l10 10m0 -10l-10 10` })
      : x2 - x1 > 10
        ? svg('rect', { x: x1, y: y + 5, width: x2 - x1, height: 20, rx: 4 })
        : svg('circle', { cx: x1, cy: y + 15, r: 6 })
    const group = svg('g', { role: 'img', 'aria-label': words }, shape)
    // What the worker's death ended is on every lane.
    if (isGap) group.append(svg('path', { d: `M${x1} ${y + 15}H${x2}M${x2} ${top}V${bottom}`, class: 'fall' }))
    else if (x2 - x1 > 60) group.append(svg('text', { x: x1 + 8, y: y + 19 }, fit(label, x2 - x1 - 12)))
    return group
  }

  get #active(): Element | null {
    return (this.#svg.getRootNode() as ShadowRoot | Document).activeElement
  }

  #tell(target: EventTarget | null): void {
    const mark = target instanceof Element ? target.closest('.mark') : null
    this.#tip.classList.toggle('hint', mark === null)
    this.#tip.textContent = mark?.getAttribute('aria-label') ?? hint
  }

  #onwheel(event: WheelEvent): void {
    if (!event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    const { left: edge, width } = this.#svg.getBoundingClientRect()
    const place = (event.clientX - edge - left) / (width - left - right)
    this.#zoom(event.deltaY < 0 ? 0.8 : 1.25, Math.min(1, Math.max(0, place)))
  }

  #onkey(event: KeyboardEvent): void {
    const last = this.#story.marks.length - 1
    const moves: Record<string, () => void> = {
      ArrowRight: () => this.#focus(Math.min(last, this.#focused + 1)),
      ArrowLeft: () => this.#focus(Math.max(0, this.#focused - 1)),
      Home: () => this.#focus(0),
      End: () => this.#focus(last),
      '+': () => this.#zoom(0.5),
      '-': () => this.#zoom(2),
      '0': () => this.#see(undefined),
      Escape: () => this.#tell(null)
    }
    const move = moves[event.key]
    if (move === undefined) return
    event.preventDefault()
    move()
  }

  #focus(index: number): void {
    this.#focused = index
    this.#draw()
    this.#svg.querySelector<SVGGElement>(`[data-index="${index}"]`)?.focus()
  }
}

/** A label cut to a width in px, at about 7 px a character. */
const fit = (label: string, width: number): string =>
  label.length * 7 <= width ? label : `${label.slice(0, Math.max(1, Math.floor(width / 7) - 1))}…`

/** The same story as a table. */
export function storyTable({ from, marks }: Story): HTMLElement {
  const head = ['Time', 'After', 'Lane', 'What', 'Details', 'Took'].map((name) => h('th', { scope: 'col' }, name))
  const rows = marks.map((mark) =>
    h(
      'tr',
      {},
      ...[
        clock(mark.from),
        duration(mark.from - from),
        mark.lane,
        mark.label,
        mark.detail,
        mark.to > mark.from ? duration(mark.to - mark.from) : ''
      ].map((text) => h('td', {}, text))
    )
  )
  return h(
    'table',
    {},
    h('caption', {}, 'What happened'),
    h('thead', {}, h('tr', {}, ...head)),
    h('tbody', {}, ...rows)
  )
}
