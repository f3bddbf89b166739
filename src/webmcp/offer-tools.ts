// Registers the server's tools with the document's ModelContext: https://webmachinelearning.github.io/webmcp/
// A call is a task where the tool supports tasks, so that it survives the worker and the page that made it.

import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { type AgentTool, type AgentTools, agentTools } from '../client/agent-tools.js'
import type { ConnectedClient } from '../protocol/connected-client.js'
import type { TaskInfo } from '../client/task-info.js'
import { watchTools } from '../client/updates.js'
import { IntabError, toError } from '../errors.js'

/** Options of `offerTools`. */
export interface OfferToolsOptions {
  /** The tools to offer: their names, or a function that decides for each. There is no default, since any agent may call them. */
  tools: readonly string[] | ((tool: AgentTool) => boolean)
  /** Withdraws the tools when it aborts. Calls that run are not cancelled. */
  signal?: AbortSignal
  /** Each state of each task that an agent starts, the first as soon as the task is stored. */
  onstatus?: (task: TaskInfo) => void
}

/** Resolved by `offerTools`. */
export interface OfferedTools {
  /** False when the browser has no `document.modelContext`: no tool is offered then. */
  readonly supported: boolean
  /** The names of the tools that are registered now. */
  readonly names: string[]
  /** Withdraws the tools. Calls that run are not cancelled. */
  stop(): void
}

/** https://webmachinelearning.github.io/webmcp/#dictdef-modelcontexttool */
interface ModelContextTool extends Omit<AgentTool, 'icons' | '_meta'> {
  description: string
  execute(input: Record<string, unknown>, options?: { signal?: AbortSignal }): Promise<CallToolResult>
}

interface ModelContext {
  registerTool(tool: ModelContextTool, options: { signal: AbortSignal }): Promise<void> | void
}

/**
 * Offers tools of a connected client's server to agents that reach this page by WebMCP, and follows the server's
 * `tools/list_changed`. Resolves once the tools are registered. In a browser without WebMCP it offers nothing:
 * `supported` is false. A tool that the browser refuses, for example because the page registered another one under its
 * name, is reported to `client.onerror`; the others are offered.
 * Rejects with `invalid_options` when `tools` is missing, and with the server's error when the tools cannot be listed.
 */
export async function offerTools(
  client: ConnectedClient,
  { tools, signal, onstatus }: OfferToolsOptions
): Promise<OfferedTools> {
  if (!Array.isArray(tools) && typeof tools !== 'function') {
    throw new IntabError(
      'invalid_options',
      `offerTools needs tools: an array of names, or a function that decides for each tool (got ${String(tools)})`
    )
  }
  signal?.throwIfAborted()
  const { modelContext } = document as { modelContext?: ModelContext }
  if (modelContext === undefined) return { supported: false, names: [], stop: () => undefined }
  const chosen = typeof tools === 'function' ? tools : ({ name }: AgentTool) => tools.includes(name)
  const offer = new Offer(client, modelContext, chosen, onstatus)
  const stop = (): void => {
    signal?.removeEventListener('abort', stop)
    offer.stop()
  }
  signal?.addEventListener('abort', stop)
  try {
    await offer.start()
  } catch (error) {
    stop()
    throw error
  }
  return {
    supported: true,
    get names() {
      return offer.names
    },
    stop
  }
}

interface Registered {
  /** The definition as JSON: another one is registered anew. */
  definition: string
  unregister: AbortController
}

class Offer {
  readonly #client: ConnectedClient
  readonly #context: ModelContext
  readonly #chosen: (tool: AgentTool) => boolean
  readonly #onstatus: ((task: TaskInfo) => void) | undefined
  readonly #tools: AgentTools
  readonly #registered = new Map<string, Registered>()
  #stopped = false
  #unhear = (): void => undefined
  /** Syncs run one after the other. */
  #synced: Promise<void> = Promise.resolve()

  constructor(
    client: ConnectedClient,
    context: ModelContext,
    chosen: (tool: AgentTool) => boolean,
    onstatus: ((task: TaskInfo) => void) | undefined
  ) {
    this.#client = client
    this.#context = context
    this.#chosen = chosen
    this.#onstatus = onstatus
    this.#tools = agentTools(client)
  }

  get names(): string[] {
    return [...this.#registered.keys()]
  }

  async start(): Promise<void> {
    const unhear = await watchTools(this.#client, () => {
      this.#queue().catch((error: unknown) => this.#report(error))
    })
    if (this.#stopped) return unhear()
    this.#unhear = unhear
    await this.#queue()
  }

  stop(): void {
    this.#stopped = true
    this.#unhear()
    for (const { unregister } of this.#registered.values()) unregister.abort()
    this.#registered.clear()
  }

  #queue(): Promise<void> {
    const sync = this.#synced.then(() => this.#sync())
    this.#synced = sync.catch(() => undefined)
    return sync
  }

  async #sync(): Promise<void> {
    const listed = this.#stopped ? [] : (await this.#tools.list()).filter(this.#chosen)
    if (this.#stopped) return
    const wanted = new Map(listed.map((tool) => [tool.name, tool]))
    for (const [name, { definition, unregister }] of this.#registered) {
      const tool = wanted.get(name)
      if (tool !== undefined && JSON.stringify(tool) === definition) wanted.delete(name)
      else {
        unregister.abort()
        this.#registered.delete(name)
      }
    }
    // In parallel: a polyfill takes a timer for each, and the timers of a hidden page are slow.
    await Promise.all([...wanted.values()].map((tool) => this.#register(tool)))
  }

  async #register(tool: AgentTool): Promise<void> {
    const { name, title, description, inputSchema, outputSchema, annotations } = tool
    const registered = { definition: JSON.stringify(tool), unregister: new AbortController() }
    this.#registered.set(name, registered)
    try {
      const definition: ModelContextTool = {
        name,
        // An empty description is refused.
        description: description || title || name,
        inputSchema,
        ...(title !== undefined && { title }),
        ...(outputSchema && { outputSchema }),
        ...(annotations && { annotations }),
        execute: (input, { signal } = {}) => this.#tools.call(name, input, { signal, onstatus: this.#onstatus })
      }
      await this.#context.registerTool(definition, { signal: registered.unregister.signal })
    } catch (error) {
      if (registered.unregister.signal.aborted) return
      this.#registered.delete(name)
      this.#report(
        new Error(`The browser refused to register the tool ${name}: ${toError(error).message}`, { cause: error })
      )
    }
  }

  #report(error: unknown): void {
    this.#client.onerror?.(toError(error))
  }
}
