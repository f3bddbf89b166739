// The definition of a tool whose calls are tasks: its name, its schemas, its handler. This folder owns what a definition,
// the arguments and a result must look like, and checks each where it enters. It knows no server and no browser: whatever
// runs tasks (a worker, the SDK's server, an engine on a server) takes a TaskTool from here.

import type { CallToolResult, Icon, Tool, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import { invalidParams } from '../errors.js'
import type { RunnableTool } from '../tasks/runner.js'
import type { TaskContext } from '../tasks/task-context.js'
import { isDuration } from '../time.js'
import type { JsonObject } from '../types.js'
import { checkKinds, invalid, type Kind, kinds, shown } from './check-options.js'
import { resultChecker } from './check-result.js'
import { limitRun } from './max-run.js'
import { type Arguments, type InputSchema, issuesOf, readSchema } from './schemas.js'

/** Options of `taskTool`. */
export interface TaskToolConfig<I extends InputSchema> {
  /** Shown to people; the name is for programs. */
  title?: string
  /** For the model: what the tool does, and when to call it. */
  description?: string
  /** A raw zod shape, or a z.object. */
  inputSchema: I
  /**
   * The schema of the result's `structuredContent`, which is stored and sent as the schema transforms it. Under a strict
   * Content-Security-Policy the SDK's Client needs a validator without generated code to list such a tool:
   * `new Client(info, { jsonSchemaValidator: new CfWorkerJsonSchemaValidator() })`, or the plugin `intab/vite`.
   */
  outputSchema?: InputSchema
  /** https://modelcontextprotocol.io/specification/2025-11-25/schema#toolannotations */
  annotations?: ToolAnnotations
  /** Shown by clients. */
  icons?: Icon[]
  /** `required`: only as a task; `optional`: a plain call is answered with the task's outcome. */
  taskSupport: 'required' | 'optional'
  /** Milliseconds that the task is kept after its end; overrides the client's request. null: forever, if `ttl.max` of `serve` is null. */
  ttl?: number | null
  /**
   * Milliseconds that one run of the handler may take, waits for answers included; then the task fails with `timeout`, and
   * `task.signal` aborts. Default: no limit but the ttl. A run after a worker's death has the whole time again.
   */
  maxRun?: number
  /** Milliseconds that a polling client should wait between polls. Default 1,000. */
  pollInterval?: number
  /** What happens when the worker dies: `fail` (default) ends the task; `resume` runs the handler again, see `step`. */
  onInterrupt?: 'fail' | 'resume'
  /** The most runs without progress of a tool that resumes. Default 3. */
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
  /** The options passed to `taskTool`. */
  readonly config: TaskToolConfig<InputSchema>
  /** As tools/list has it, with the schemas as JSON Schema. */
  readonly listed: Tool
  /** Throws -32602 with the SDK's text when the arguments do not fit. */
  check(args: JsonObject): Promise<void>
}

/**
 * Defines a tool whose calls are tasks. Throws an IntabError `invalid_options` for an invalid option.
 * The handler returns the tool's result; `isError: true` or a throw makes the task `failed`.
 */
export function taskTool<I extends InputSchema>(
  name: string,
  config: TaskToolConfig<I>,
  handler: (args: Arguments<I>, task: TaskContext) => CallToolResult | Promise<CallToolResult>
): TaskTool {
  checkDefinition(name, config, handler)
  const input = readSchema(`Tool ${name}: inputSchema`, config.inputSchema, 'input')
  const output = config.outputSchema && readSchema(`Tool ${name}: outputSchema`, config.outputSchema, 'output')
  const checked = resultChecker(name, output)
  const parse = async (args: JsonObject): Promise<Arguments<I>> => {
    const parsed = await input.zod.safeParseAsync(args)
    if (parsed.success) return parsed.data as Arguments<I>
    throw invalidParams(`Input validation error: Invalid arguments for tool ${name}: ${issuesOf(parsed.error)}`)
  }
  return {
    name,
    onInterrupt: config.onInterrupt ?? 'fail',
    maxAttempts: config.maxAttempts ?? 3,
    config,
    listed: listedAs(name, config, input.json, output?.json),
    async check(args) {
      await parse(args)
    },
    async run(args, task) {
      const parsed = await parse(args)
      return checked(await limitRun(name, config.maxRun, async () => handler(parsed, task)))
    }
  }
}

/** What tools/list says of it: https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool */
function listedAs(
  name: string,
  { title, description, annotations, icons, taskSupport }: TaskToolConfig<InputSchema>,
  inputSchema: JsonObject,
  outputSchema: JsonObject | undefined
): Tool {
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    inputSchema: inputSchema as Tool['inputSchema'],
    ...(annotations !== undefined && { annotations }),
    ...(icons !== undefined && { icons }),
    execution: { taskSupport },
    ...(outputSchema !== undefined && { outputSchema: outputSchema as NonNullable<Tool['outputSchema']> })
  }
}

/** The options of a tool: a new one is written here, too, or TypeScript says so. */
const known: Record<keyof TaskToolConfig<InputSchema>, Kind> = {
  title: kinds.words,
  description: kinds.words,
  inputSchema: kinds.any,
  outputSchema: kinds.any,
  annotations: kinds.group,
  icons: kinds.list,
  taskSupport: kinds.any,
  ttl: kinds.any,
  maxRun: kinds.any,
  pollInterval: kinds.any,
  onInterrupt: kinds.any,
  maxAttempts: kinds.any,
  immediateResponse: kinds.words,
  asksFirst: kinds.flag
}

function checkDefinition(name: unknown, config: TaskToolConfig<InputSchema>, handler: unknown): void {
  // https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool-names
  if (typeof name !== 'string' || !/^[A-Za-z0-9_.-]{1,128}$/.test(name)) {
    throw invalid(`A tool's name must have 1 to 128 of the characters A-Z a-z 0-9 _ - . (got ${shown(name)})`)
  }
  const tool = `Tool ${name}`
  if (typeof config !== 'object' || config === null)
    throw invalid(`${tool}: its options must be an object (got ${shown(config)})`)
  checkKinds(tool, config, known)
  if (typeof handler !== 'function') throw invalid(`${tool}: its handler must be a function (got ${shown(handler)})`)
  const { taskSupport, maxAttempts = 3, onInterrupt = 'fail', ttl = 0, pollInterval = 0, maxRun } = config
  if (taskSupport !== 'required' && taskSupport !== 'optional') {
    throw invalid(
      `${tool}: taskSupport must be 'required' or 'optional' (got ${shown(taskSupport)}); register a tool without task support in setup: mcpServer((server) => …)`
    )
  }
  if (!Number.isInteger(maxAttempts) || maxAttempts < 1) {
    throw invalid(`${tool}: maxAttempts must be a whole number of at least 1 (got ${shown(maxAttempts)})`)
  }
  if (onInterrupt !== 'fail' && onInterrupt !== 'resume') {
    throw invalid(`${tool}: onInterrupt must be 'fail' or 'resume' (got ${shown(onInterrupt)})`)
  }
  if (maxRun !== undefined && !(isDuration(maxRun) && maxRun > 0)) {
    throw invalid(`${tool}: maxRun must be a positive number of milliseconds (got ${shown(maxRun)})`)
  }
  if (!isDuration(ttl ?? 0) || !isDuration(pollInterval)) {
    throw invalid(
      `${tool}: ttl and pollInterval must be non-negative numbers of milliseconds; ttl may be null (got ${shown(ttl)} and ${shown(pollInterval)})`
    )
  }
}
