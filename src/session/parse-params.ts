import type * as z from 'zod'
import { invalidParams } from '../errors.js'

/** Throws -32602 that names what does not fit. */
export function parseParams<T extends z.ZodType>(schema: T, params: unknown): z.output<T> {
  const parsed = schema.safeParse(params)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'params'}: ${message}`)
  throw invalidParams(`Invalid params: ${issues.join('; ')}`)
}
