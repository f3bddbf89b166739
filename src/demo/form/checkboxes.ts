import { h, uniqueId } from '../dom.js'
import { type Control, hintFor } from './control.js'
import { problemBeside } from './problem.js'
import type { Field } from './schema-fields.js'

/** Yes or no. */
export function checkbox(field: Field & { kind: 'boolean' }): Control {
  const id = uniqueId('field')
  const input = h('input', { id, type: 'checkbox', name: field.name, checked: field.initial })
  const hint = hintFor(field, input)
  const problem = problemBeside(input)
  const label = h('label', { for: id }, field.label)
  const element = h('div', { class: 'field check' }, input, label, ...hint, problem.element)
  input.addEventListener('change', () => problem.show(undefined))
  return { element, focus: input, check: () => true, say: problem.show, read: () => input.checked }
}

/** Several of some choices. */
export function checkboxes(field: Field & { kind: 'choices' }): Control {
  const boxes = field.choices.map(({ value, label }) => {
    const id = uniqueId('choice')
    const input = h('input', { id, type: 'checkbox', value, checked: field.initial.includes(value) })
    return { input, element: h('div', { class: 'check' }, input, h('label', { for: id }, label)) }
  })
  const inputs = boxes.map(({ input }) => input)
  const group = h('fieldset', { class: 'field' }, h('legend', {}, field.label))
  const hint = hintFor(field, group)
  const problem = problemBeside(...inputs)
  group.append(...hint, ...boxes.map(({ element }) => element), problem.element)
  const chosen = (): string[] => inputs.filter(({ checked }) => checked).map(({ value }) => value)
  const check = (): boolean => {
    const count = chosen().length
    const isWrong = (count > 0 || field.required) && (count < field.min || count > field.max)
    problem.show(isWrong ? `Choose ${field.min} to ${field.max}` : undefined)
    return !isWrong
  }
  group.addEventListener('change', () => {
    if (!problem.element.hidden) check()
  })
  return {
    element: group,
    focus: inputs[0] ?? group,
    check,
    say: problem.show,
    read: () => (chosen().length > 0 || field.required ? chosen() : undefined)
  }
}
