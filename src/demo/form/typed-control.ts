import { h, uniqueId } from '../dom.js'
import { type Control, hintFor, labelOf } from './control.js'
import { problemBeside } from './problem.js'
import { type Field, parseText, problemOf } from './schema-fields.js'

type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** A control into which something is typed or chosen, with its label above and its description below. */
export function typedControl(field: Field, input: Input): Control {
  input.id = uniqueId('field')
  input.name = field.name
  input.required = field.required
  const hint = hintFor(field, input)
  const problem = problemBeside(input)
  const element = h('div', { class: 'field' }, labelOf(field, input.id), input, ...hint, problem.element)
  const check = (): boolean => {
    input.setCustomValidity(problemOf(field, input.value) ?? '')
    problem.show(input.validity.valid ? undefined : input.validationMessage)
    return input.validity.valid
  }
  // Who was told of a problem sees it go as soon as it is solved.
  input.addEventListener('input', () => {
    if (input.hasAttribute('aria-invalid')) check()
  })
  return { element, focus: input, check, say: problem.show, read: () => parseText(field, input.value) }
}
