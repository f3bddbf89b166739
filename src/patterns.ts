// Patterns in a JSON Schema that no validator can read. Needs no validator itself.

import type { Json } from './types.js'

/**
 * The first pattern that is invalid with the `u` flag, with which every validator reads patterns: nothing would fit it.
 * https://json-schema.org/draft/2020-12/json-schema-core#section-6.4
 */
export function patternProblem(schema: Json | undefined, path = ''): string | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined
  for (const [key, value] of Object.entries(schema)) {
    const at = path === '' ? key : `${path}.${key}`
    if (key === 'pattern' && typeof value === 'string' && !isPattern(value)) {
      return `the pattern ${value} at ${at} is invalid with the flag u, with which JSON Schema is read`
    }
    const problem = patternProblem(value, at)
    if (problem !== undefined) return problem
  }
  return undefined
}

function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp
  } catch {
    return false
  }
}
