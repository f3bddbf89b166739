// Elements are made one by one and text stays text: nothing that a server says is ever parsed as HTML.

type Attributes = Record<string, string | number | boolean | undefined>

/** Makes an element. An attribute that is false or undefined is left out, true is written without a value. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue
    element.setAttribute(name, value === true ? '' : String(value))
  }
  element.append(...children)
  return element
}

/** The element of the page's own markup that has this id. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id)
  if (!element) throw new Error(`The page has no element #${id}`)
  return element
}

let ids = 0

/** An id for a label or description to point at, unique in this page. */
export const uniqueId = (prefix: string): string => `${prefix}-${(ids += 1)}`

/** Writes a text only where it is new: screen readers and selections stay undisturbed. */
export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text
}
