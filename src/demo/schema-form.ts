// A form's controls, made from a JSON Schema. The browser itself says what is missing or wrong.

import { h, uniqueId } from './dom.js'
import type { Json, JsonObject } from './json.js'
import type { Field } from './schema-fields.js'
import { fieldsOf, parseText, problemOf } from './schema-fields.js'

/** Controls to put into a form, and what they hold. */
export interface SchemaForm {
  element: HTMLElement
  /** Marks what the browser does not check by itself; call it before `form.reportValidity()`, in a form with `novalidate`. */
  check(): void
  /** The values as the schema wants them; what was left empty is left out. */
  read(): JsonObject
}

interface Control {
  element: HTMLElement
  check?(): void
  read(): Json | undefined
}

type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** A control with its label above it and its description below. */
function labelled(field: Field, input: Input): HTMLElement {
  input.id = uniqueId('field')
  input.name = field.name
  input.required = field.required
  const optional = field.required ? [] : [h('span', { class: 'optional' }, ' optional')]
  const element = h('div', { class: 'field' }, h('label', { for: input.id }, field.label, ...optional), input)
  if (field.description !== undefined) {
    const hint = h('small', { id: uniqueId('hint') }, field.description)
    input.setAttribute('aria-describedby', hint.id)
    element.append(hint)
  }
  return element
}

function typed(field: Field, input: Input): Control {
  return {
    element: labelled(field, input),
    check: () => input.setCustomValidity(problemOf(field, input.value) ?? ''),
    read: () => parseText(field, input.value)
  }
}

function checkbox(field: Field & { kind: 'boolean' }): Control {
  const id = uniqueId('field')
  const input = h('input', { id, type: 'checkbox', name: field.name, checked: field.initial })
  const hint = field.description === undefined ? [] : [h('small', {}, field.description)]
  const element = h('div', { class: 'field check' }, input, h('label', { for: id }, field.label, ...hint))
  return { element, read: () => input.checked }
}

function select(field: Field & { kind: 'choice' }): HTMLSelectElement {
  const options = field.choices.map(({ value, label }) =>
    h('option', { value, selected: value === field.initial }, label)
  )
  return h('select', {}, h('option', { value: '' }, field.required ? 'Choose …' : 'No choice'), ...options)
}

function checkboxes(field: Field & { kind: 'choices' }): Control {
  const boxes = field.choices.map(({ value, label }) => {
    const id = uniqueId('choice')
    const input = h('input', { id, type: 'checkbox', value, checked: field.initial.includes(value) })
    return { input, element: h('div', { class: 'check' }, input, h('label', { for: id }, label)) }
  })
  const hint = field.description === undefined ? [] : [h('small', {}, field.description)]
  const legend = h('legend', {}, field.label)
  const chosen = (): string[] => boxes.filter(({ input }) => input.checked).map(({ input }) => input.value)
  return {
    element: h('fieldset', { class: 'field' }, legend, ...hint, ...boxes.map(({ element }) => element)),
    check: () => {
      const count = chosen().length
      const wrong = (count > 0 || field.required) && (count < field.min || count > field.max)
      boxes[0]?.input.setCustomValidity(wrong ? `Choose ${field.min} to ${field.max}` : '')
    },
    read: () => (chosen().length > 0 || field.required ? chosen() : undefined)
  }
}

function controlOf(field: Field): Control {
  switch (field.kind) {
    case 'text': {
      const { input: type, minLength: minlength, maxLength: maxlength, initial: value } = field
      return typed(field, h('input', { type, minlength, maxlength, value, autocomplete: 'off' }))
    }
    case 'number': {
      const { min, max, initial: value, whole } = field
      return typed(field, h('input', { type: 'number', min, max, value, step: whole ? 1 : 'any' }))
    }
    case 'boolean':
      return checkbox(field)
    case 'choice':
      return typed(field, select(field))
    case 'choices':
      return checkboxes(field)
    case 'json':
      return typed(field, h('textarea', { rows: 4, spellcheck: 'false' }, field.initial ?? ''))
  }
}

/** Makes the controls for an object schema. */
export function schemaForm(schema: JsonObject): SchemaForm {
  const controls = fieldsOf(schema).map((field) => ({ field, control: controlOf(field) }))
  return {
    element: h('div', { class: 'fields' }, ...controls.map(({ control }) => control.element)),
    check: () => {
      for (const { control } of controls) control.check?.()
    },
    read: () => {
      const entries = controls.map(({ field, control }) => [field.name, control.read()] as const)
      return Object.fromEntries(entries.filter((entry): entry is readonly [string, Json] => entry[1] !== undefined))
    }
  }
}
