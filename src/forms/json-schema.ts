// JSON Schema, read by a validator that generates no code: a strict Content-Security-Policy forbids it.
// https://json-schema.org/draft/2020-12

import { type OutputUnit, Validator } from '@cfworker/json-schema'
import type { Json, JsonObject } from '../types.js'

export interface Misfit {
  /** The property, as `range.from`; '' for the value itself. */
  place: string
  /** The keyword of the schema that it breaks, and what that says. */
  keyword: string
  expected: Json | undefined
  message: string
}

/** Finds what in a value does not fit the schema. Throws when the schema cannot be read. */
export function misfitFinder(schema: JsonObject): (value: unknown) => Misfit[] {
  const validator = new Validator(schema, '2020-12', false)
  return (value) =>
    validator
      .validate(value)
      .errors.filter(isCause)
      .map((error) => misfitOf(schema, error))
}

/** Keywords that only pass on what others found below them. */
const passesOn = new Set(['properties', 'items', 'prefixItems', 'additionalProperties', '$ref', 'allOf'])
const isCause = ({ keyword }: OutputUnit): boolean => !passesOn.has(keyword)

function misfitOf(schema: JsonObject, { instanceLocation, keyword, keywordLocation, error }: OutputUnit): Misfit {
  return {
    place: pointed(instanceLocation).join('.'),
    keyword,
    expected: pointed(keywordLocation).reduce<Json | undefined>(
      (at, key) => (typeof at === 'object' && at !== null ? (at as JsonObject)[key] : undefined),
      schema
    ),
    message: error
  }
}

/** The keys of a JSON pointer in a fragment: https://www.rfc-editor.org/rfc/rfc6901 */
const pointed = (pointer: string): string[] =>
  pointer
    .replace(/^#\/?/, '')
    .split('/')
    .filter((key) => key !== '')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
