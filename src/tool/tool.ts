// The definition of a tool whose calls are tasks: its name, its schemas, its handler. This folder owns what a definition,
// the arguments and a result must look like, and checks each where it enters. It knows no server and no browser: whatever
// runs tasks (a worker, the SDK's server, an engine on a server) takes a TaskTool from here.

import {
  type CallToolResult,
  CallToolResultSchema,
  type Icon,
  type ToolAnnotations
} from '@modelcontextprotocol/sdk/types.js'
import type * as z from 'zod'
import { IntabError, invalidParams, RPC } from '../errors.js'
import type { RunnableTool } from '../tasks/runner.js'
import type { TaskContext } from '../tasks/task-context.js'
import { isDuration } from '../time.js'
import type { JsonObject } from '../types.js'
import { type Arguments, type InputSchema, issuesOf, objectSchema } from './schemas.js'

export interface TaskToolConfig<I extends InputSchema> {
  title?: string
  description?: string
  /** A raw zod shape, or a z.object. */
  inputSchema: I
  /** The result's `structuredContent` is checked against it before it is stored. */
  outputSchema?: InputSchema
  annotations?: ToolAnnotations
  icons?: Icon[]
  /** `required`: only as a task; `optional`: a plain call is answered with the task's outcome. */
  taskSupport: 'required' | 'optional'
  /** Milliseconds that the task is kept after its end; wins over what the client asks. null: for ever, if the host allows it. */
  ttl?: number | null
  /** Milliseconds between polls that clients which poll should keep. Default 1,000. */
  pollInterval?: number
  /** What happens when the worker dies: `fail` (default) ends the task; `resume` runs the handler again, see `step`. */
  onInterrupt?: 'fail' | 'resume'
  /** Runs of a tool that resumes, at most. Default 3. */
  maxAttempts?: number
  /**
   * For clients of MCP 2026-07-28 that take tasks: the tool's first questions come in the answer to the call, and the task
   * once they are answered. Default false: the task comes at once, and asks through itself.
   */
  asksFirst?: boolean
  /** Text for the model while the task runs: `_meta['io.modelcontextprotocol/model-immediate-response']` of the CreateTaskResult. */
  immediateResponse?: string
}

/** A tool whose calls are tasks; give it to `serve({ tools })`. */
export interface TaskTool extends RunnableTool {
  readonly config: TaskToolConfig<InputSchema>
  /** Throws -32602 with the SDK's text when the arguments do not fit. */
  check(args: JsonObject): Promise<void>
}

/** What the SDK lists of a tool, as its `registerToolTask` takes it. */
export const listing = <I extends InputSchema>(
  { title, description, outputSchema, annotations, taskSupport }: TaskToolConfig<InputSchema>,
  inputSchema: I
) => ({
  inputSchema,
  execution: { taskSupport },
  ...(title !== undefined && { title }),
  ...(description !== undefined && { description }),
  ...(outputSchema !== undefined && { outputSchema }),
  ...(annotations !== undefined && { annotations })
})

/**
 * Defines a tool whose calls are tasks. Throws an IntabError `invalid_options` when a setting makes no sense.
 * What the handler returns is the tool's result; `isError: true` or a throw make the task `failed`.
 */
export function taskTool<I extends InputSchema>(
  name: string,
  config: TaskToolConfig<I>,
  handler: (args: Arguments<I>, task: TaskContext) => CallToolResult | Promise<CallToolResult>
): TaskTool {
  const { taskSupport, maxAttempts = 3, onInterrupt = 'fail', ttl = 0, pollInterval = 0 } = config
  if (taskSupport !== 'required' && taskSupport !== 'optional') {
    throw new IntabError(
      'invalid_options',
      `Tool ${name}: taskSupport is 'required' or 'optional'; register a tool without task support in setup(server)`
    )
  }
  if (!Number.isInteger(maxAttempts) || maxAttempts < 1) {
    throw new IntabError('invalid_options', `Tool ${name}: maxAttempts is a whole number from 1 on`)
  }
  if (onInterrupt !== 'fail' && onInterrupt !== 'resume') {
    throw new IntabError('invalid_options', `Tool ${name}: onInterrupt is 'fail' or 'resume'`)
  }
  if (!isDuration(ttl ?? 0) || !isDuration(pollInterval)) {
    throw new IntabError(
      'invalid_options',
      `Tool ${name}: ttl and pollInterval are milliseconds from 0 on; a ttl may be null`
    )
  }
  const input = objectSchema(config.inputSchema)
  const output = config.outputSchema && objectSchema(config.outputSchema)

  const parse = async (args: JsonObject): Promise<Arguments<I>> => {
    const parsed = await input.safeParseAsync(args)
    if (parsed.success) return parsed.data as Arguments<I>
    throw invalidParams(`Input validation error: Invalid arguments for tool ${name}: ${issuesOf(parsed.error)}`)
  }
  return {
    name,
    onInterrupt,
    maxAttempts,
    config,
    async check(args) {
      await parse(args)
    },
    async run(args, task) {
      const result = await handler(await parse(args), task)
      await checkResult(name, result, output)
      return result as JsonObject
    }
  }
}

async function checkResult(name: string, result: CallToolResult, output: z.ZodObject | undefined): Promise<void> {
  const shape = CallToolResultSchema.safeParse(result)
  if (!shape.success || (result.content === undefined && output === undefined)) {
    const why = shape.error === undefined ? '' : ` (${issuesOf(shape.error)})`
    throw new IntabError('invalid_options', `Tool ${name} returned no tool result: return { content: [...] }${why}`)
  }
  if (output === undefined || result.isError === true) return
  const refuse = (why: string): never => {
    throw new IntabError('invalid_options', `MCP error ${RPC.invalidParams}: Output validation error: ${why}`)
  }
  // The texts are those of the SDK's McpServer, whose clients know them.
  if (result.structuredContent === undefined) {
    refuse(`Tool ${name} has an output schema but no structured content was provided`)
  }
  const parsed = await output.safeParseAsync(result.structuredContent)
  if (!parsed.success) refuse(`Invalid structured content for tool ${name}: ${issuesOf(parsed.error)}`)
}
