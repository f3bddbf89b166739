// The schemas of a tool: written with zod, told to clients as JSON Schema, which is made once, when the tool is defined.

import * as z from 'zod'
import { toError } from '../errors.js'
import { patternProblem } from '../patterns.js'
import { plainJson } from '../plain-json.js'
import type { JsonObject } from '../types.js'
import { invalid, shown } from './check-options.js'

export type InputSchema = z.ZodRawShape | z.ZodObject
export type Arguments<I extends InputSchema> = I extends z.ZodObject
  ? z.output<I>
  : I extends z.ZodRawShape
    ? z.output<z.ZodObject<I>>
    : never

/** A schema that parses, and the same as clients see it. */
export interface ToolSchema {
  zod: z.ZodObject
  json: JsonObject
}

/** Throws `invalid_options` for what is not written with zod 4, or what JSON Schema cannot say. `what` names tool and option. */
export function readSchema(what: string, written: unknown, io: 'input' | 'output'): ToolSchema {
  const schema = objectOf(what, written)
  let json: JsonObject
  try {
    json = plainJson(z.toJSONSchema(schema, { io, target: 'draft-7' })).value as JsonObject
  } catch (error) {
    throw invalid(`${what}: ${culprit(schema, io)}: ${toError(error).message}. Use a type that JSON has`)
  }
  const pattern = patternProblem(json)
  if (pattern !== undefined) throw invalid(`${what}: ${pattern}`)
  return { zod: schema, json }
}

/** As readSchema, for schemas that the SDK reads as well: what is not an object of zod 4 is left to it. */
export function checkListable(what: string, written: unknown, io: 'input' | 'output'): void {
  if (typeof written !== 'object' || written === null) return
  const isObject = isZod4(written) ? written._zod.def.type === 'object' : Object.values(written).every(isZod4)
  if (isObject) readSchema(what, written, io)
}

/** Any copy of zod 4 has it, and zod 3 has not. */
const isZod4 = (value: unknown): value is z.ZodType => typeof value === 'object' && value !== null && '_zod' in value

function objectOf(what: string, written: unknown): z.ZodObject {
  if (isZod4(written)) {
    if (written._zod.def.type === 'object') return written as z.ZodObject
    throw invalid(`${what} must be a z.object() or a shape of schemas (got a zod ${written._zod.def.type})`)
  }
  const advice = 'write it with zod 4: { name: z.string() }, or {} for none'
  if (typeof written !== 'object' || written === null || Array.isArray(written)) {
    throw invalid(`${what} is ${shown(written)}: ${advice}`)
  }
  if ('_def' in written) throw invalid(`${what} is a schema of zod 3: ${advice}`)
  for (const [key, value] of Object.entries(written)) {
    if (isZod4(value)) continue
    if (typeof value === 'object' && value !== null && '_def' in value) {
      throw invalid(`${what}.${key} is a schema of zod 3: ${advice}`)
    }
    if ('type' in written || '$schema' in written || 'properties' in written) {
      throw invalid(`${what} looks like a JSON Schema: ${advice}, or use z.fromJSONSchema()`)
    }
    throw invalid(`${what}.${key} is ${shown(value)}, not a schema: ${advice}`)
  }
  return z.object(written as z.ZodRawShape)
}

/** Where the schema has what JSON Schema has no word for, as `range.from`, `dates[]`. */
function culprit(schema: z.ZodObject, io: 'input' | 'output'): string {
  let found: (string | number)[] | undefined
  const look = ({ zodSchema, path }: { zodSchema: z.core.$ZodTypes; path: (string | number)[] }): void => {
    if (found !== undefined) return
    try {
      z.toJSONSchema(zodSchema, { io, target: 'draft-7' })
    } catch {
      found = path
    }
  }
  try {
    z.toJSONSchema(schema, { io, target: 'draft-7', unrepresentable: 'any', override: look })
  } catch {
    // It fails for another reason than a type; then there is no place to name.
  }
  return found === undefined ? 'it cannot be told as JSON Schema' : `${placeOf(found)} cannot be told as JSON Schema`
}

function placeOf(path: readonly (string | number)[]): string {
  let place = ''
  for (const [index, part] of path.entries()) {
    if (path[index - 1] === 'properties') place += place === '' ? part : `.${part}`
    else if (part === 'items') place += '[]'
    else if (part === 'additionalProperties') place += '[*]'
  }
  return place
}

/** What does not fit, in the words of the SDK's server, which clients know. */
export const issuesOf = ({ issues }: z.ZodError): string =>
  issues.map(({ message, path }) => (path.length === 0 ? message : `${message} at ${dotted(path)}`)).join('\n')

const dotted = ([first, ...rest]: readonly PropertyKey[]): string =>
  rest.reduce<string>(
    (path, key) => (typeof key === 'number' ? `${path}[${key}]` : `${path}.${String(key)}`),
    String(first)
  )
