// What is wrong with a filled form, field by field, in words for the person who filled it.
// https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#requested-schema

import type { Json, JsonObject } from '../types.js'
import { type Misfit, misfitFinder } from './json-schema.js'

/** One field that the server would refuse. */
export interface FormProblem {
  /** The property of the form; '' for the form as a whole. */
  field: string
  /** Completes a sentence that begins with the field: `must be a valid email`. */
  message: string
}

/**
 * What in a form's content does not fit the `requestedSchema` of its question, as the server would find it: empty when
 * the server takes it. Throws when the schema cannot be read.
 */
export function checkForm(requestedSchema: JsonObject, content: JsonObject): FormProblem[] {
  const problems = new Map<string, FormProblem>()
  for (const misfit of misfitFinder(requestedSchema)(content)) {
    const problem = problemOf(misfit)
    if (!problems.has(problem.field)) problems.set(problem.field, problem)
  }
  return [...problems.values()]
}

function problemOf({ place, keyword, expected, message }: Misfit): FormProblem {
  const [, missing] = keyword === 'required' ? (/"(.*)"/s.exec(message) ?? []) : []
  if (missing !== undefined) return { field: missing, message: 'is required' }
  return { field: place.split('.')[0] ?? '', message: words[keyword]?.(expected) ?? message }
}

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : JSON.stringify(value))

const words: Readonly<Record<string, (expected: Json | undefined) => string>> = {
  type: (expected) => `must be of type ${text(expected)}`,
  format: (expected) => `must be a valid ${text(expected)}`,
  pattern: (expected) => `must match ${text(expected)}`,
  enum: (expected) => `must be one of ${text(expected)}`,
  minLength: (expected) => `must have at least ${text(expected)} characters`,
  maxLength: (expected) => `must have at most ${text(expected)} characters`,
  minimum: (expected) => `must be at least ${text(expected)}`,
  maximum: (expected) => `must be at most ${text(expected)}`,
  minItems: (expected) => `needs at least ${text(expected)} choices`,
  maxItems: (expected) => `takes at most ${text(expected)} choices`
}
