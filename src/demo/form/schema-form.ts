// A form's controls, made from a JSON Schema, with what is wrong said beside each.

import { h } from '../dom.js'
import type { Json, JsonObject } from '../json.js'
import { checkbox, checkboxes } from './checkboxes.js'
import type { Control } from './control.js'
import { fileText } from './file-text.js'
import { type Field, fieldsOf } from './schema-fields.js'
import { typedControl } from './typed-control.js'

/** Controls to put into a form with `novalidate`, and what they hold. */
export interface SchemaForm {
  element: HTMLElement
  /** Says what is wrong and goes to the first of it; true when nothing is. */
  check(): boolean
  /** The values as the schema wants them; what was left empty is left out. Throws a SyntaxError for JSON that is none. */
  read(): JsonObject
}

function select(field: Field & { kind: 'choice' }): HTMLSelectElement {
  const options = field.choices.map(({ value, label }) =>
    h('option', { value, selected: value === field.initial }, label)
  )
  return h('select', {}, h('option', { value: '' }, field.required ? 'Choose …' : 'No choice'), ...options)
}

function controlOf(field: Field): Control {
  switch (field.kind) {
    case 'text': {
      const { input: type, initial: value } = field
      return typedControl(field, h('input', { type, value, autocomplete: 'off' }))
    }
    case 'number': {
      const { min, max, initial: value, whole } = field
      return typedControl(field, h('input', { type: 'number', min, max, value, step: whole ? 1 : 'any' }))
    }
    case 'boolean':
      return checkbox(field)
    case 'choice':
      return typedControl(field, select(field))
    case 'choices':
      return checkboxes(field)
    case 'file-text':
      return fileText(field)
    case 'json':
      return typedControl(field, h('textarea', { rows: 4, spellcheck: 'false' }, field.initial ?? ''))
  }
}

/** Makes the controls for an object schema. */
export function schemaForm(schema: JsonObject): SchemaForm {
  const controls = fieldsOf(schema).map((field) => ({ field, control: controlOf(field) }))
  return {
    element: h('div', { class: 'fields' }, ...controls.map(({ control }) => control.element)),
    check() {
      const wrong = controls.filter(({ control }) => !control.check())
      wrong[0]?.control.focus.focus()
      return wrong.length === 0
    },
    read() {
      const entries = controls.map(({ field, control }) => [field.name, control.read()] as const)
      return Object.fromEntries(entries.filter((entry): entry is readonly [string, Json] => entry[1] !== undefined))
    }
  }
}
