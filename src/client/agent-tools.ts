// The server's tools for an agent's loop: each is one call with one result, whether it runs as a task or not.

import type { CallToolResult, ListToolsResult, Tool } from '@modelcontextprotocol/sdk/types.js'
import { hasCode, IntabError, RPC, toError } from '../errors.js'
import type { Progress } from '../types.js'
import { ask, asLongAsItTakes, callResult, type ConnectedClient, isModern } from '../protocol/connected-client.js'
import { modern } from './era.js'
import type { TaskInfo } from './task-info.js'
import { followTask, runTask, TaskRun } from './task-run.js'

/** A tool without `execution`: agent libraries hide or refuse tools that say how they run. */
export type AgentTool = Omit<Tool, 'execution'>

/** Options of `AgentTools.call`; `resume` takes them without `key` and `retry`. */
export interface AgentCallOptions {
  /**
   * An idempotency key, for example `crypto.randomUUID()`: the same call with the same key finds the task that was made, from
   * any tab. intab remembers it as long as the task, and for a day after. Store it before the call.
   */
  key?: string | undefined
  /** True when this call may have been made before with its `key`: a tool without task support is then not run again, and the call rejects with -31030 (`may_have_run`). */
  retry?: boolean | undefined
  /** Cancels the call and its task; the call then rejects with the signal's reason, at once. */
  signal?: AbortSignal | undefined
  /** Each state of the task, the first as soon as it is stored: keep its `taskId` to `resume` after a reload. */
  onstatus?: ((task: TaskInfo) => void) | undefined
  /** The tool's progress. */
  onprogress?: ((progress: Progress) => void) | undefined
}

/** Made by `agentTools`. No method has a time limit. */
export interface AgentTools {
  /** Every tool, of all pages of tools/list. */
  list(): Promise<AgentTool[]>
  /**
   * Calls a tool: as a task where the tool supports tasks, plainly where it does not. A task goes on when the worker
   * dies or the tab closes. A tool that failed resolves with its `isError` result.
   * Rejects with the server's error (McpError), for example -32602 for bad arguments, an unknown tool or a `key` of another
   * call; -31030 (`may_have_run`) when the task of the `key` was deleted.
   */
  call(name: string, args?: Record<string, unknown>, options?: AgentCallOptions): Promise<CallToolResult>
  /** Waits for a task of an earlier call, after a reload or in another tab. Rejects with -32602 when there is no such task. */
  resume(taskId: string, options?: Omit<AgentCallOptions, 'key' | 'retry'>): Promise<CallToolResult>
}

/** The tools of a connected client's server, for an agent: https://modelcontextprotocol.io/specification/2025-11-25/server/tools */
export function agentTools(client: ConnectedClient): AgentTools {
  /** Whether a tool runs as a task, of the tools that were listed last. */
  let asTask = new Map<string, boolean>()

  const list = async (): Promise<AgentTool[]> => {
    const found: AgentTool[] = []
    const support = new Map<string, boolean>()
    let cursor: unknown
    do {
      // Not client.listTools, which compiles the output schemas: a strict Content-Security-Policy forbids that.
      const page = await ask(client, 'tools/list', cursor === undefined ? {} : { cursor })
      const { tools, nextCursor } = page as unknown as ListToolsResult
      for (const { execution, ...tool } of tools) {
        support.set(tool.name, (execution?.taskSupport ?? 'forbidden') !== 'forbidden')
        found.push(tool)
      }
      cursor = nextCursor
    } while (cursor !== undefined)
    asTask = support
    return found
  }

  /** Whether this is a task tool: as listed last, or as the server says now. */
  const runsAsTask = async (name: string): Promise<boolean> => {
    if (!asTask.has(name)) await list()
    return asTask.get(name) ?? false
  }

  const settle = async (run: TaskRun, { onstatus }: AgentCallOptions): Promise<CallToolResult> => {
    if (onstatus !== undefined) {
      for await (const task of run) {
        try {
          onstatus(task)
        } catch (error) {
          client.onerror?.(toError(error))
        }
      }
    }
    return run.result()
  }

  const callOnce = async (
    name: string,
    args: Record<string, unknown>,
    task: boolean,
    options: AgentCallOptions
  ): Promise<CallToolResult> => {
    const { signal, onprogress, key, retry } = options
    const heard = { ...(signal && { signal }), ...(onprogress && { onprogress }) }
    const _meta = key !== undefined && { 'intab/key': key, ...(retry && { 'intab/retry': true }) }
    const asked = { name, arguments: args, ...(_meta && { _meta }) }
    if (isModern(client)) {
      const { callEither, modernTasks } = await modern()
      const came = await callEither(client, asked, heard)
      if ('result' in came) return came.result
      const wire = modernTasks(client, onprogress)
      return settle(new TaskRun(wire, came.task, { cancelOn: signal, onover: wire.onover }), options)
    }
    if (task) return settle(await runTask(client, asked, heard), options)
    const timed = { ...heard, timeout: asLongAsItTakes }
    return callResult(await ask(client, 'tools/call', asked, timed))
  }

  return {
    list,

    call(name, args = {}, options = {}) {
      const work = async (): Promise<CallToolResult> => {
        // A server of MCP 2026-07-28 decides by itself, and does not list what it will do.
        const { signal, key, retry } = options
        if (typeof (key ?? '') !== 'string' || (retry && key === undefined)) {
          throw new IntabError('invalid_options', `key must be a string, and retry needs one (got ${String(key)})`)
        }
        // Of a tool that is not there, or not back yet, a task may be.
        const task = !isModern(client) && ((await runsAsTask(name)) || (retry === true && !asTask.has(name)))
        signal?.throwIfAborted()
        try {
          return await callOnce(name, args, task, options)
        } catch (error) {
          // "Method not found" is also what a server says that runs this tool the other way by now.
          if (!hasCode(error, RPC.methodNotFound)) throw error
          asTask.delete(name)
          if ((await runsAsTask(name)) === task) throw error
          return callOnce(name, args, !task, options)
        }
      }
      return unlessAborted(options.signal, work)
    },

    resume: (taskId, options = {}) =>
      unlessAborted(options.signal, async () => {
        const { signal, onprogress } = options
        const run = await followTask(client, taskId, onprogress && { onprogress })
        const cancel = (): void => void run.cancel().catch(() => undefined)
        if (signal?.aborted) cancel()
        signal?.addEventListener('abort', cancel, { once: true })
        return settle(run, options).finally(() => signal?.removeEventListener('abort', cancel))
      })
  }
}

/** Rejects with the signal's reason at once, whatever the work waits for. */
function unlessAborted<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  if (signal === undefined) return work()
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const abort = (): void => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort))
  })
}
