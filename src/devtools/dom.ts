// Elements are made one by one: nothing that a server says is ever parsed as HTML.

type Attributes = Record<string, string | number | undefined>

function fill<E extends Element>(element: E, attributes: Attributes, children: (Node | string)[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) element.setAttribute(name, String(value))
  }
  element.append(...children)
  return element
}

/** Makes an element; an attribute that is undefined is left out. */
export const h = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] => fill(document.createElement(tag), attributes, children)

/** The same for SVG. */
export const svg = <Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): SVGElementTagNameMap[Tag] => fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children)

/** A button; what its act throws goes to `onerror`. */
export function button(label: string, act: () => unknown, onerror: (error: unknown) => void): HTMLButtonElement {
  const element = h('button', { type: 'button' }, label)
  const run = async (): Promise<unknown> => act()
  element.addEventListener('click', () => {
    run().catch(onerror)
  })
  return element
}

/** Calls `act` before the next frame, once, however often it was asked to; `stop` forgets the call. */
export function everyFrame(act: () => void): { soon(): void; stop(): void } {
  let frame = 0
  return {
    soon() {
      if (frame !== 0) return
      frame = requestAnimationFrame(() => {
        frame = 0
        act()
      })
    },
    stop() {
      cancelAnimationFrame(frame)
    }
  }
}

/** A labelled box to tick. */
export function checkbox(label: string, onchange: () => void): { element: HTMLLabelElement; input: HTMLInputElement } {
  const input = h('input', { type: 'checkbox' })
  input.addEventListener('change', onchange)
  return { element: h('label', {}, input, label), input }
}

export type Fact = [name: string, value: string]

/** Names and values in a row. One that stays the same is left alone, and with it what somebody has selected in it. */
export function newFacts(): { element: HTMLElement; show(facts: readonly Fact[]): void } {
  const element = h('dl')
  const values = new Map<string, HTMLElement>()
  return {
    element,
    show(facts) {
      for (const [name, value] of facts) {
        let dd = values.get(name)
        if (dd === undefined) {
          dd = h('dd')
          values.set(name, dd)
          element.append(h('div', {}, h('dt', {}, name), dd))
        }
        if (dd.textContent !== value) dd.textContent = value
      }
    }
  }
}
