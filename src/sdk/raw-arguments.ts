import * as z from 'zod'
import { type InputSchema, objectSchema } from '../tool/schemas.js'

/**
 * Shows a tool's schema in tools/list, and lets the arguments through as they came. The tool parses them by itself: what
 * the SDK had parsed already would be transformed twice, and a refusal by the SDK reaches no client, since a call with
 * `task` must be answered with a task: https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#creating-tasks
 */
export function rawArguments(shape: InputSchema): z.ZodObject {
  const { $schema: _, ...json } = z.toJSONSchema(objectSchema(shape), { io: 'input', target: 'draft-7' })
  return z.looseObject({}).meta(json)
}
