// Tools that the page registered with its ModelContext, as tools to lend to the worker:
// https://webmachinelearning.github.io/webmcp/

import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js'
import { IntabError } from '../errors.js'
import type { LendableTool } from '../lend/lend-tools.js'

/** A tool as `document.modelContext.getTools()` tells of it; later versions of Chromium return objects that do not spread. */
interface RegisteredTool {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly inputSchema?: Tool['inputSchema']
  readonly annotations?: { readonly readOnlyHint?: boolean }
}

interface ModelContext {
  getTools(): Promise<readonly RegisteredTool[]>
  /** Resolves with the result, as JSON unless it is a string. */
  executeTool(tool: RegisteredTool, input: object, options: { signal: AbortSignal }): Promise<string | null>
}

/**
 * The tools with these names that the page registered with WebMCP, for `lendTools`.
 * Rejects with `invalid_options` when the page has no such tool or the browser no WebMCP.
 */
export async function pageTools(names: readonly string[]): Promise<LendableTool[]> {
  const { modelContext } = document as { modelContext?: ModelContext }
  const registered = (await modelContext?.getTools()) ?? []
  return names.map((name) => {
    const tool = registered.find((each) => each.name === name)
    if (tool !== undefined && modelContext !== undefined) return lendable(modelContext, tool)
    const why = modelContext === undefined ? 'this browser has no document.modelContext' : 'the page registered none'
    throw new IntabError('invalid_options', `pageTools cannot find a tool ${name}: ${why}`, { name })
  })
}

function lendable(context: ModelContext, tool: RegisteredTool): LendableTool {
  const { name, title, description, inputSchema, annotations } = tool
  return {
    name,
    description,
    ...(title && { title }),
    // A tool that takes nothing may have an empty one.
    ...(inputSchema?.type === 'object' && { inputSchema }),
    ...(annotations?.readOnlyHint && { annotations: { readOnlyHint: true } }),
    run: async (args, { signal }) => asResult(await context.executeTool(tool, args, { signal }))
  }
}

/** A page's tool may return anything: what is no result of MCP becomes a text. */
function asResult(returned: string | null): CallToolResult {
  try {
    const value: unknown = JSON.parse(returned ?? '')
    if (typeof value === 'object' && value !== null && 'content' in value) return value as CallToolResult
  } catch {
    // A string, as it was returned.
  }
  return { content: [{ type: 'text', text: returned ?? '' }] }
}
