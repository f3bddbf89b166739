// What a form needs to know of a JSON Schema: of a tool's arguments, or of a question.
// https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#requested-schema

import type { Json, JsonObject } from '../json.js'

export interface Choice {
  value: string
  label: string
}

interface Named {
  name: string
  label: string
  description: string | undefined
  required: boolean
}

type Control =
  | {
      kind: 'text'
      input: 'text' | 'email' | 'url' | 'date' | 'datetime-local'
      minLength: number | undefined
      maxLength: number | undefined
      pattern: string | undefined
      initial: string | undefined
    }
  | {
      kind: 'number'
      whole: boolean
      min: number | undefined
      max: number | undefined
      initial: number | undefined
    }
  | { kind: 'boolean'; initial: boolean }
  | { kind: 'choice'; choices: Choice[]; initial: string | undefined }
  | { kind: 'choices'; choices: Choice[]; min: number; max: number; initial: string[] }
  /** A text that may come from a file of this type, such as `text/csv`. */
  | { kind: 'file-text'; type: string; initial: string | undefined }
  /** Whatever a form has no control for: written as JSON. */
  | { kind: 'json'; initial: string | undefined }

/** One property of a schema, and the control that a form has for it. */
export type Field = Named & Control

const inputs = { email: 'email', uri: 'url', date: 'date', 'date-time': 'datetime-local' } as const
const isFormat = (format: string): format is keyof typeof inputs => Object.hasOwn(inputs, format)

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const text = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined)
const number = (value: Json | undefined): number | undefined => (typeof value === 'number' ? value : undefined)
const list = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : [])
const strings = (value: Json | undefined): string[] => list(value).filter((item) => typeof item === 'string')

/** The choices of an enum, in each of the ways that a schema may name them; none if it is not an enum. */
function choicesOf(schema: JsonObject): Choice[] {
  const titled = [...list(schema['oneOf']), ...list(schema['anyOf'])].filter(isObject)
  const names = strings(schema['enumNames'])
  return [
    ...strings(schema['enum']).map((value, index) => ({ value, label: names[index] ?? value })),
    ...titled.flatMap(({ const: value, title }) =>
      typeof value === 'string' ? [{ value, label: text(title) ?? value }] : []
    )
  ]
}

function controlOf(schema: JsonObject): Control {
  const choices = choicesOf(schema)
  const initial = schema['default']
  const items = isObject(schema['items']) ? choicesOf(schema['items']) : []
  const format = text(schema['format']) ?? ''
  if (choices.length > 0) return { kind: 'choice', choices, initial: text(initial) }
  if (items.length > 0) {
    const max = number(schema['maxItems']) ?? items.length
    return { kind: 'choices', choices: items, min: number(schema['minItems']) ?? 0, max, initial: strings(initial) }
  }
  switch (schema['type']) {
    case 'string': {
      const type = text(schema['contentMediaType'])
      if (type !== undefined) return { kind: 'file-text', type, initial: text(initial) }
      return {
        kind: 'text',
        input: isFormat(format) ? inputs[format] : 'text',
        minLength: number(schema['minLength']),
        maxLength: number(schema['maxLength']),
        pattern: text(schema['pattern']),
        initial: text(initial)
      }
    }
    case 'number':
    case 'integer':
      return {
        kind: 'number',
        whole: schema['type'] === 'integer',
        min: number(schema['minimum']),
        max: number(schema['maximum']),
        initial: number(initial)
      }
    case 'boolean':
      return { kind: 'boolean', initial: initial === true }
    default:
      return { kind: 'json', initial: initial === undefined ? undefined : JSON.stringify(initial, null, 2) }
  }
}

/** The fields of an object schema, in its order. */
export function fieldsOf(schema: JsonObject): Field[] {
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const required = strings(schema['required'])
  return Object.entries(properties).map(([name, property]) => {
    const field = isObject(property) ? property : {}
    return {
      name,
      label: text(field['title']) ?? name,
      description: text(field['description']),
      required: required.includes(name),
      ...controlOf(field)
    }
  })
}

/**
 * What a person typed, as the schema wants it; undefined for what was left empty.
 * @throws SyntaxError if a JSON field does not parse
 */
export function parseText(field: Field, typed: string): Json | undefined {
  if (typed === '') return undefined
  if (field.kind === 'number') return Number(typed)
  if (field.kind === 'json') return JSON.parse(typed) as Json
  // An input of this type knows no time zone, and a date-time must have one: it is the person's own.
  if (field.kind === 'text' && field.input === 'datetime-local') return new Date(typed).toISOString()
  return typed
}

/** What is wrong with what a person typed, where the browser's own controls do not see it. */
export function problemOf(field: Field, typed: string): string | undefined {
  if (typed === '') return undefined
  if (field.kind === 'text') return problemOfText(field, typed)
  if (field.kind !== 'json') return undefined
  try {
    parseText(field, typed)
    return undefined
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** The browser checks lengths only of what was typed by hand, and counts UTF-16 units where JSON Schema counts characters. */
function problemOfText(
  { minLength = 0, maxLength = Infinity, pattern }: Field & { kind: 'text' },
  typed: string
): string | undefined {
  const { length } = Array.from(typed)
  if (length < minLength) return `Write at least ${minLength} characters`
  if (length > maxLength) return `Write at most ${maxLength} characters`
  return pattern === undefined || matches(pattern, typed) ? undefined : `Must match ${pattern}`
}

/** A pattern that this browser cannot read forbids nothing: the server has the last word. */
function matches(pattern: string, typed: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(typed)
  } catch {
    return true
  }
}
