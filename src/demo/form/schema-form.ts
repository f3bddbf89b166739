// A form's controls, made from a JSON Schema, with what is wrong said beside each.

import { checkForm, type FormProblem } from 'intab/forms'
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
  /** Says what is wrong and goes to the first of it; true when nothing is, and the server would take it. */
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

/** Makes the controls for an object schema, filled with what was written before, if anything was. */
export function schemaForm(schema: JsonObject, written: JsonObject = {}): SchemaForm {
  const controls = fieldsOf(schema).map((field) => ({ field, control: controlOf(filled(field, written[field.name])) }))
  const read = (): JsonObject => {
    const entries = controls.map(({ field, control }) => [field.name, control.read()] as const)
    return Object.fromEntries(entries.filter((entry): entry is readonly [string, Json] => entry[1] !== undefined))
  }
  /** What a browser's own controls take, and the server does not: both read the schema with the same code. */
  const misfits = (): Control[] => {
    const problems = new Map(problemsIn(schema, read()).map(({ field, message }) => [field, message]))
    return controls.flatMap(({ field, control }) => {
      const problem = problems.get(field.name)
      if (problem !== undefined) control.say(`${field.label} ${problem}`)
      return problem === undefined ? [] : [control]
    })
  }
  return {
    element: h('div', { class: 'fields' }, ...controls.map(({ control }) => control.element)),
    check() {
      const wrong = controls.flatMap(({ control }) => (control.check() ? [] : [control]))
      const [first] = wrong.length > 0 ? wrong : misfits()
      first?.focus.focus()
      return first === undefined
    },
    read
  }
}

/** A schema that nobody can read forbids nothing here: the server has the last word. */
function problemsIn(schema: JsonObject, content: JsonObject): FormProblem[] {
  try {
    return checkForm(schema, content)
  } catch {
    return []
  }
}

/** The field with another initial value, as far as its control can show it. */
function filled(field: Field, value: Json | undefined): Field {
  if (value === undefined) return field
  if (field.kind === 'boolean') return { ...field, initial: value === true }
  if (field.kind === 'choices') return { ...field, initial: Array.isArray(value) ? value.map(String) : [] }
  if (field.kind === 'json') return { ...field, initial: JSON.stringify(value, null, 2) }
  if (field.kind === 'number') return { ...field, initial: typeof value === 'number' ? value : undefined }
  return { ...field, initial: typeof value === 'string' ? value : JSON.stringify(value) }
}
