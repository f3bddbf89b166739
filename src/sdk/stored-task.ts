// One task behind the SDK's TaskStore, as the run of its handler writes it: in order, and told to the client.

import type { TaskMessageQueue, TaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/interfaces.js'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult, ProgressToken, Task } from '@modelcontextprotocol/sdk/types.js'
import { toError } from '../errors.js'
import type { End } from '../tasks/outcome.js'
import { storeEnd } from '../tasks/store-end.js'
import type { JsonObject } from '../types.js'

/** What the server itself was given: it shows neither. */
export interface TaskToolStores {
  /** As given to the `McpServer` as `taskStore`. */
  store: TaskStore
  /** As given to the `McpServer` as `taskMessageQueue`. */
  queue: TaskMessageQueue
}

/** One tools/call that became a task. */
export interface Call extends TaskToolStores {
  server: McpServer
  sessionId: string | undefined
  progressToken: ProgressToken | undefined
  /** `_meta` of the call, without what belongs to the protocol. */
  meta: JsonObject
}

const isFinal = (task: Task | null): boolean =>
  task === null || task.status === 'completed' || task.status === 'failed' || task.status === 'cancelled'

/** The SDK's store keeps results only: an error becomes the result that says it. */
function resultOf({ outcome }: End): CallToolResult {
  if ('result' in outcome) return outcome.result as CallToolResult
  return { isError: true, content: [{ type: 'text', text: outcome.error.message }] }
}

export class StoredTask {
  readonly id: string
  readonly #server: McpServer
  readonly #store: TaskStore
  readonly #sessionId: string | undefined
  readonly #onended: () => void
  #last: Promise<unknown> = Promise.resolve()

  /** `onended` is called each time when somebody else is found to have ended or deleted the task. */
  constructor({ server, store, sessionId }: Call, id: string, onended: () => void) {
    this.id = id
    this.#server = server
    this.#store = store
    this.#sessionId = sessionId
    this.#onended = onended
  }

  /** Resolves when the update is stored, or when the task has ended, which takes no more of them. */
  update(status: () => Task['status'], message?: string): Promise<void> {
    return this.#write(() => this.#store.updateTaskStatus(this.id, status(), message, this.#sessionId))
  }

  /** Resolves when the end is stored, however often that is tried, or when the signal says that another one is. */
  async finish(end: End, signal: AbortSignal): Promise<void> {
    const onfailure = (error: unknown): void => this.onerror(error)
    await storeEnd(end, (kept) => this.#finish(kept), { signal, onfailure })
  }

  /** Looks whether somebody else has ended it. */
  async look(): Promise<Task | null> {
    const task = await this.#store.getTask(this.id, this.#sessionId)
    if (isFinal(task)) this.#onended()
    return task
  }

  /** The SDK's server takes what goes wrong out of any caller's sight. */
  onerror(error: unknown): void {
    this.#server.server.onerror?.(toError(error))
  }

  async #finish(end: End): Promise<void> {
    const { statusMessage } = end
    if (statusMessage !== undefined) await this.update(() => 'working', statusMessage)
    const status = end.status === 'completed' ? 'completed' : 'failed'
    await this.#write(() => this.#store.storeTaskResult(this.id, status, resultOf(end), this.#sessionId))
  }

  #write(act: () => Promise<void>): Promise<void> {
    const written = this.#last.then(act).then(
      () => this.#announce(),
      async (error: unknown) => {
        if (!isFinal(await this.look())) throw error
      }
    )
    this.#last = written.catch(() => undefined)
    return written
  }

  /** Optional by the protocol: a client that is gone, or hears none, asks for the task. */
  async #announce(): Promise<void> {
    const task = await this.#store.getTask(this.id, this.#sessionId)
    if (task === null || !this.#server.isConnected()) return
    await this.#server.server
      .notification({ method: 'notifications/tasks/status', params: { ...task } })
      .catch((error: unknown) => this.onerror(error))
  }
}
