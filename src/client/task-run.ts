// A task that runs, as the tab sees it: its states as they change, and its result, without polling.

import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { ProgressCallback, RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js'
import { type CallToolResult, CallToolResultSchema, ResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { IntabError } from '../errors.js'
import { isOver, type TaskInfo, taskInfo } from './task-info.js'
import { listen, type TaskListener, watchTasks } from './updates.js'

/** The longest that a timer can be told; the SDK's default of 60 s would end a person's thinking. */
export const asLongAsItTakes = 2 ** 31 - 1

/** The params of a tools/call. */
interface ToolCall {
  name: string
  arguments?: Record<string, unknown>
  _meta?: Record<string, unknown>
}

/** Options of `runTask`. */
export interface RunTaskOptions {
  /** Milliseconds to keep the task after its end; the server may grant another, see `run.task.ttl`. */
  ttl?: number
  /** The tool's progress, for as long as the task runs. */
  onprogress?: ProgressCallback
  /** Cancels the task when it aborts. */
  signal?: AbortSignal
}

/**
 * Calls a tool as a task; `_meta` reaches it as `task.meta`. Resolves once the task is stored: from then on it outlives this tab.
 * Rejects with the server's error (McpError) when no task was made.
 */
export async function runTask(
  client: Client,
  { name, arguments: args = {}, _meta }: ToolCall,
  { ttl, onprogress, signal }: RunTaskOptions = {}
): Promise<TaskRun> {
  signal?.throwIfAborted()
  const params = { name, arguments: args, task: ttl === undefined ? {} : { ttl }, ...(_meta && { _meta }) }
  const options: RequestOptions = onprogress === undefined ? {} : { onprogress }
  const result = await client.request({ method: 'tools/call', params }, ResultSchema, options)
  const task = taskInfo(result.task)
  if (task === undefined) throw new IntabError('invalid_options', `The server did not make a task for ${name}`)
  return new TaskRun(client, task, { cancelOn: signal })
}

/** Options of `followTask`. */
export interface FollowTaskOptions {
  /** The tool's progress, beginning with what it is now; none of a server that is not intab's. */
  onprogress?: ProgressCallback
  /** Ends the following with the signal's reason; the task goes on. */
  signal?: AbortSignal
}

/** Follows a task that already exists, after a reload or in another tab. Rejects with -32602 when it is not there. */
export async function followTask(
  client: Client,
  taskId: string,
  { onprogress, signal }: FollowTaskOptions = {}
): Promise<TaskRun> {
  signal?.throwIfAborted()
  const tell = onprogress && progressOf(taskId, onprogress)
  const stop = tell && (await watchTasks(client, { ontask: tell }))
  try {
    const task = await getTask(client, taskId)
    tell?.(task)
    return new TaskRun(client, task, { stopOn: signal, onover: stop })
  } catch (error) {
    stop?.()
    throw error
  }
}

/** Progress increases: https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/progress */
function progressOf(taskId: string, onprogress: ProgressCallback): TaskListener['ontask'] {
  let told = -Infinity
  return ({ taskId: of, progress }) => {
    if (of !== taskId || progress === undefined || progress.progress <= told) return
    told = progress.progress
    onprogress(progress)
  }
}

async function getTask(client: Client, taskId: string): Promise<TaskInfo> {
  const task = taskInfo(await client.request({ method: 'tasks/get', params: { taskId } }, ResultSchema))
  if (task === undefined) throw new IntabError('invalid_options', `The server sent no task for ${taskId}`)
  return task
}

interface RunEnds {
  cancelOn?: AbortSignal | undefined
  stopOn?: AbortSignal | undefined
  /** Called when there is nothing more to hear of the task. */
  onover?: (() => void) | undefined
}

/**
 * One task, followed by this tab: `for await` tells its states, `result()` what it came to. Iterate, or ask for the result,
 * as often as you like; leaving the loop does not cancel the task.
 */
export class TaskRun implements AsyncIterable<TaskInfo> {
  readonly taskId: string
  readonly #client: Client
  readonly #waiting = new Set<() => void>()
  readonly #stopOn: AbortSignal | undefined
  #task: TaskInfo
  #result: Promise<CallToolResult> | undefined
  #settled = false

  /** Made by `runTask` and `followTask`. */
  constructor(client: Client, task: TaskInfo, { cancelOn, stopOn, onover }: RunEnds = {}) {
    this.taskId = task.taskId
    this.#client = client
    this.#task = task
    this.#stopOn = stopOn
    if (onover !== undefined) this.#settle(onover)
    if (cancelOn === undefined || isOver(task)) return
    const cancel = (): void => {
      this.cancel().catch(() => undefined)
    }
    if (cancelOn.aborted) cancel()
    else cancelOn.addEventListener('abort', cancel, { once: true })
    this.#settle(() => cancelOn.removeEventListener('abort', cancel))
  }

  /** The newest state that this tab knows. */
  get task(): TaskInfo {
    return this.#task
  }

  /**
   * Waits as long as the task takes, over reloads of the worker. A tool that failed by itself resolves with its
   * `isError` result; an error of the protocol rejects with its code and data (McpError).
   */
  result(): Promise<CallToolResult> {
    if (this.#result === undefined) {
      this.#result = this.#wait()
      this.#result.catch(() => undefined)
    }
    return this.#result
  }

  /** Cancels the task; resolves with its state. Rejects with -32602 when it is final already. */
  async cancel(): Promise<TaskInfo> {
    const params = { taskId: this.taskId }
    const task = taskInfo(await this.#client.request({ method: 'tasks/cancel', params }, ResultSchema))
    if (task !== undefined) this.#learn(task)
    return this.#task
  }

  /** The state now, then each that this tab hears of; ends after the final one. Throws what `result` rejects with when there is none: the task was deleted. */
  async *[Symbol.asyncIterator](): AsyncGenerator<TaskInfo, void, void> {
    this.#settle(() => undefined)
    let seen: TaskInfo | undefined
    while (true) {
      const task = this.#task
      if (task !== seen) {
        seen = task
        yield task
        continue
      }
      if (isOver(task)) return
      if (this.#settled) return void (await this.result())
      await new Promise<void>((resolve) => this.#waiting.add(resolve))
    }
  }

  async #wait(): Promise<CallToolResult> {
    const stop = listen(this.#client, { ontask: (task) => this.#learn(task) })
    const request = { method: 'tasks/result', params: { taskId: this.taskId } }
    try {
      return await this.#client.request(request, CallToolResultSchema, {
        timeout: asLongAsItTakes,
        ...(this.#stopOn && { signal: this.#stopOn })
      })
    } catch (error) {
      // The SDK wraps the reason into an error of its own.
      this.#stopOn?.throwIfAborted()
      throw error
    } finally {
      await this.#end(stop)
    }
  }

  #settle(then: () => void): void {
    this.result().then(then, then)
  }

  #learn(task: TaskInfo): void {
    if (task.taskId !== this.taskId || isOver(this.#task)) return
    // The same state may be told twice, as an answer and as a notification.
    if ((task.revision ?? Infinity) <= (this.#task.revision ?? 0)) return
    this.#task = task
    this.#wake()
  }

  /** The status notification of the end comes before the result, unless a worker died between the two. */
  async #end(stop: () => void): Promise<void> {
    stop()
    if (!isOver(this.#task)) {
      const task = await getTask(this.#client, this.taskId).catch(() => undefined)
      if (task !== undefined) this.#learn(task)
    }
    this.#settled = true
    this.#wake()
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve()
    this.#waiting.clear()
  }
}
