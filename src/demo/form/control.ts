import { h, uniqueId } from '../dom.js'
import type { Json } from '../json.js'
import type { Field } from './schema-fields.js'

/** One field of a form. */
export interface Control {
  element: HTMLElement
  /** What to go to when something is wrong here. */
  focus: HTMLElement
  /** Says beside the field what is wrong with it; true when nothing is. */
  check(): boolean
  /** Says so beside the field, until it is changed. */
  say(problem: string): void
  read(): Json | undefined
}

/** The label of a field, for a control with this id. */
export const labelOf = ({ label, required }: Field, id: string): HTMLElement =>
  h('label', { for: id }, label, ...(required ? [] : [h('span', { class: 'optional' }, ' optional')]))

/** The field's description for the control to point at; none if it has none. */
export function hintFor({ description }: Field, control: HTMLElement): HTMLElement[] {
  if (description === undefined) return []
  const hint = h('small', { id: uniqueId('hint') }, description)
  control.setAttribute('aria-describedby', hint.id)
  return [hint]
}
