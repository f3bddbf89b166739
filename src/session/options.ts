import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { Icon } from '@modelcontextprotocol/sdk/types.js'
import { IntabError } from '../errors.js'
import type { DoorScope } from '../link/front-door.js'
import type { Checkpoint, IntabEvent, Json, Limits, Locks } from '../types.js'
import { checkKinds, invalid, type Kind, kinds, shown } from '../tool/check-options.js'
import type { TaskTool } from '../tool/tool.js'
import type { InnerServer } from './inner-server.js'

/** Who is connected, as `owner` and `mcpServer()` see it. */
export interface SessionInfo {
  /** Stays the same when the tab reloads. */
  id: string
  /** New with each connection. */
  connection: string
  /** The `data` that the tab passed to `new WorkerTransport(factory, { data })`. */
  data: Json | undefined
}

/** Registers tools, resources and prompts on the McpServer of one session. */
export type McpServerSetup = (server: McpServer, session: SessionInfo) => void | Promise<void>

/** What an inner server must know of the worker. */
export interface Served {
  readonly options: ServeOptions
  readonly tools: ReadonlyMap<string, TaskTool>
  onerror(error: Error, during: string): void
}

/** Opens the server that answers what is about no task: made by `mcpServer()` of "intab/mcp-server". */
export interface InnerServers {
  open(served: Served, session: SessionInfo): Promise<InnerServer>
}

/** Options of `serve`. */
export interface ServeOptions {
  /** The name of the server, its database and its locks. Each app of an origin needs its own. */
  name: string
  /** Sent to clients. */
  version: string
  /** Shown to people; `name` is for programs. */
  title?: string
  /** Sent to clients. */
  icons?: Icon[]
  /** Sent to clients. */
  websiteUrl?: string
  /** Sent to the client, for its model. */
  instructions?: string
  /** Tools created by `taskTool`, with unique names. */
  tools?: readonly TaskTool[]
  /** Anything else that an McpServer can do (plain tools, resources, prompts): `mcpServer((server) => …)` of "intab/mcp-server". */
  setup?: InnerServers
  /** Returns the owner of the session's tasks. Default: one owner for the whole origin. */
  owner?(session: SessionInfo): string | Promise<string>
  /** Default `intab:<name>`; the names of the channel and of the locks derive from it. */
  database?: string
  /** `strict` survives a power cut and costs about twice; `relaxed` (default) survives a killed browser. */
  durability?: 'relaxed' | 'strict'
  /** Milliseconds; `max: null` allows a ttl of `null`, forever. Default 7 days for both. */
  ttl?: { default?: number | null; max?: number | null }
  /** See `Limits`; omitted limits keep their defaults. */
  limits?: Partial<Limits>
  /** Milliseconds until a question is sent although no client waits for its task: to the session that made the call, and after twice that to any session of the owner. Default 1,000. */
  deliveryGrace?: number
  /** Called with each step in the life of a task or connection, for logs and audits. */
  onevent?(event: IntabEvent): void
  /** For tests: awaited at every commit and send. */
  checkpoint?: Checkpoint
  /** Where connections come from. Default: this worker's own scope; a MessagePort for a server in the page itself. */
  scope?: DoorScope
  /** Default: the browser's Web Locks. */
  locks?: Locks
  /** Where a server in a page listens for `pagehide`, `pageshow` and the like: it stops when the page leaves, and starts again when the page is back. Default: the window, if there is one. */
  page?: EventTarget
}

/** What a client is told of the server: https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#initialization */
export const serverInfo = ({ name, version, title, icons, websiteUrl }: ServeOptions) => ({
  name,
  version,
  ...(title && { title }),
  ...(icons && { icons }),
  ...(websiteUrl && { websiteUrl })
})

/** What every server here can do, whatever its tools: tabs may lend it some at any time. */
export const capabilities = {
  logging: {},
  tools: { listChanged: true },
  tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } }
}

/** Everything that is this server's alone derives its name from it. */
export const databaseOf = ({ database, name }: ServeOptions): string => database ?? `intab:${name}`

const week = 7 * 24 * 60 * 60 * 1000
const shortest = 1000

/** What a task gets: the tool's own ttl wins, then what the client asked, then the default; within [1 s, max]. */
export function grantTtl(
  { default: byDefault, max = week }: NonNullable<ServeOptions['ttl']>,
  tool: number | null | undefined,
  asked: number | undefined
): number | null {
  const wanted =
    tool !== undefined ? tool : (asked ?? (byDefault === undefined ? (max === null ? week : max) : byDefault))
  if (wanted === null) return max
  const atLeast = Math.max(shortest, wanted)
  return max === null ? atLeast : Math.min(max, atLeast)
}

/** Throws `invalid_options` for a limit that is not a number of at least 1. */
export function checkLimits(limits: Limits): Limits {
  checkKinds('limits', limits, knownLimits)
  return limits
}

/** The options of serve(): a new one is written here, too, or TypeScript says so. */
const known: Record<keyof ServeOptions, Kind> = {
  name: kinds.text,
  version: kinds.text,
  title: kinds.words,
  icons: kinds.list,
  websiteUrl: kinds.words,
  instructions: kinds.words,
  tools: kinds.list,
  setup: kinds.any,
  owner: kinds.call,
  database: kinds.text,
  durability: kinds.durability,
  ttl: kinds.group,
  limits: kinds.group,
  deliveryGrace: kinds.duration,
  onevent: kinds.call,
  checkpoint: kinds.any,
  scope: kinds.any,
  locks: kinds.any,
  page: kinds.any
}

const knownTtl: Record<keyof NonNullable<ServeOptions['ttl']>, Kind> = {
  default: kinds.retention,
  max: kinds.retention
}

const knownLimits: Record<keyof Limits, Kind> = {
  unfinished: kinds.count,
  kept: kinds.count,
  messages: kinds.count,
  bytes: kinds.count,
  page: kinds.count,
  operations: kinds.count
}

/** Throws `invalid_options` for invalid options, `duplicate_tool` for a name used twice. */
export function toolsByName(options: ServeOptions): Map<string, TaskTool> {
  const { name, version, tools = [], ttl = {}, setup } = options
  if (setup !== undefined && typeof (setup as Partial<InnerServers> | null)?.open !== 'function') {
    throw invalid(
      `serve(): setup is ${shown(setup)}: wrap the function in mcpServer() of 'intab/mcp-server', setup: mcpServer((server) => …)`
    )
  }
  checkKinds('serve()', options, known)
  checkKinds('serve(): ttl', ttl, knownTtl)
  if (!name || !version) throw invalid(`serve() needs a name and a version (got ${shown(name)} and ${shown(version)})`)
  const byName = new Map<string, TaskTool>()
  for (const tool of tools) {
    if (typeof (tool as unknown as TaskTool | undefined)?.run !== 'function') {
      throw invalid(
        `serve(): tools contains ${shown(tool)}, which taskTool() did not create; register plain tools in setup: mcpServer((server) => …)`
      )
    }
    if (byName.has(tool.name)) throw duplicateTool(tool.name)
    byName.set(tool.name, tool)
  }
  return byName
}

export const duplicateTool = (name: string, cause?: unknown): IntabError =>
  new IntabError('duplicate_tool', `Tool '${name}' is defined twice: give each tool its own name`, { name }, { cause })
