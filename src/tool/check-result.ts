// What a handler returned, made into what is stored and sent.

import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { IntabError, RPC } from '../errors.js'
import { misfitFinder } from '../forms/json-schema.js'
import { plainJson } from '../plain-json.js'
import { callToolResult } from '../protocol/results.js'
import type { JsonObject } from '../types.js'
import { issuesOf, type ToolSchema } from './schemas.js'

const refused = (message: string): IntabError => new IntabError('invalid_options', message)

/**
 * The result as clients get it: `structuredContent` is what the outputSchema makes of it (defaults, coercions, no other
 * keys), and fits the schema that is listed. Rejects with `invalid_options` or `not_json` for what can be no result.
 */
export function resultChecker(
  name: string,
  output: ToolSchema | undefined
): (result: CallToolResult) => Promise<JsonObject> {
  const misfits = output && misfitFinder(output.json)
  return async (result) => {
    const shape = callToolResult().safeParse(result)
    if (!shape.success || (result.content === undefined && output === undefined)) {
      const why = shape.error === undefined ? '' : ` (${issuesOf(shape.error)})`
      throw refused(`Tool ${name} returned no tool result: return { content: [...] }${why}`)
    }
    if (output === undefined || misfits === undefined || result.isError === true) return plain(result)
    // The texts are those of the SDK's McpServer, whose clients know them.
    const refuse = (why: string): never => {
      throw refused(`MCP error ${RPC.invalidParams}: Output validation error: ${why}`)
    }
    if (result.structuredContent === undefined) {
      return refuse(`Tool ${name} has an output schema but no structured content was provided`)
    }
    const parsed = await output.zod.safeParseAsync(result.structuredContent)
    if (!parsed.success) {
      return refuse(`Invalid structured content for tool ${name}: ${issuesOf(parsed.error)}`)
    }
    const made = plain({ ...result, content: result.content ?? [], structuredContent: parsed.data })
    const [misfit] = misfits(made['structuredContent'])
    // Only the schema can be at fault: zod took it, and JSON Schema cannot say all that zod can.
    if (misfit !== undefined) {
      return refuse(
        `The result of tool ${name} does not fit the JSON Schema that clients see, after its outputSchema transformed it: ${misfit.place}: ${misfit.message}`
      )
    }
    return made
  }
}

const plain = (result: CallToolResult): JsonObject => plainJson(result).value as JsonObject
