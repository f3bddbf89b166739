// The schemas of a tool: written with zod, told to clients as JSON Schema.

import * as z from 'zod'

export type InputSchema = z.ZodRawShape | z.ZodObject
export type Arguments<I extends InputSchema> = I extends z.ZodObject
  ? z.output<I>
  : I extends z.ZodRawShape
    ? z.output<z.ZodObject<I>>
    : never

export const objectSchema = (schema: InputSchema): z.ZodObject =>
  schema instanceof z.ZodType ? schema : z.object(schema)

/** What does not fit, in the words of the SDK's server, which clients know. */
export const issuesOf = ({ issues }: z.ZodError): string =>
  issues.map(({ message, path }) => (path.length === 0 ? message : `${message} at ${dotted(path)}`)).join('\n')

const dotted = ([first, ...rest]: readonly PropertyKey[]): string =>
  rest.reduce<string>(
    (path, key) => (typeof key === 'number' ? `${path}[${key}]` : `${path}.${String(key)}`),
    String(first)
  )
