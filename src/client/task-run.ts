// A task that runs, as the tab sees it: its states as they change, and its result, without polling.

import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { Progress } from '../types.js'
import type { ConnectedClient } from '../protocol/connected-client.js'
import { isOver, progressOf, type TaskInfo, type TaskWire, type ToolCall } from './task-info.js'
import { taskWire } from './task-wire.js'
import { watchTasks } from './updates.js'

/** Options of `runTask`. */
export interface RunTaskOptions {
  /** Milliseconds to keep the task after its end; the server may grant another, see `run.task.ttl`. */
  ttl?: number
  /** Called with the tool's progress while the task runs. */
  onprogress?: (progress: Progress) => void
  /** Cancels the task when it aborts. */
  signal?: AbortSignal
}

/**
 * Calls a tool as a task; `_meta` reaches it as `task.meta`. Resolves once the task is stored: from then on it survives this tab.
 * Rejects with the server's error (McpError) when no task was created.
 */
export async function runTask(
  client: ConnectedClient,
  call: ToolCall,
  { ttl, onprogress, signal }: RunTaskOptions = {}
): Promise<TaskRun> {
  signal?.throwIfAborted()
  const wire = await taskWire(client)
  const task = await wire.start(call, { ttl, onprogress })
  return new TaskRun(wire, task, { cancelOn: signal, onover: wire.onover })
}

/** Options of `followTask`. */
export interface FollowTaskOptions {
  /** Called with the tool's progress, beginning with the current value. Servers other than intab's send none. */
  onprogress?: (progress: Progress) => void
  /** When it aborts, this tab stops following, with the signal's reason; the task continues. */
  signal?: AbortSignal
}

/** Follows an existing task, after a reload or in another tab. Rejects with -32602 when there is no such task. */
export async function followTask(
  client: ConnectedClient,
  taskId: string,
  { onprogress, signal }: FollowTaskOptions = {}
): Promise<TaskRun> {
  signal?.throwIfAborted()
  const tell = onprogress && progressOf(taskId, onprogress)
  const stop = tell && (await watchTasks(client, { ontask: tell }))
  try {
    const wire = await taskWire(client)
    const task = await wire.get(taskId)
    tell?.(task)
    return new TaskRun(wire, task, { stopOn: signal, onover: stop })
  } catch (error) {
    stop?.()
    throw error
  }
}

interface RunEnds {
  cancelOn?: AbortSignal | undefined
  stopOn?: AbortSignal | undefined
  /** Called when there is nothing more to hear of the task. */
  onover?: (() => void) | undefined
}

/**
 * One task, followed by this tab. `for await` iterates its states; `result()` resolves with its result. Both can be used any
 * number of times. Leaving the loop does not cancel the task.
 */
export class TaskRun implements AsyncIterable<TaskInfo> {
  readonly taskId: string
  readonly #wire: TaskWire
  readonly #waiting = new Set<() => void>()
  readonly #stopOn: AbortSignal | undefined
  #task: TaskInfo
  #result: Promise<CallToolResult> | undefined
  #settled = false

  /** Made by `runTask` and `followTask`. */
  constructor(wire: TaskWire, task: TaskInfo, { cancelOn, stopOn, onover }: RunEnds = {}) {
    this.taskId = task.taskId
    this.#wire = wire
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

  /** The latest state that this tab received. */
  get task(): TaskInfo {
    return this.#task
  }

  /**
   * Resolves when the task ends, however long that takes and whichever worker runs it. A failed tool resolves with its
   * `isError` result; a JSON-RPC error rejects with its code and data (McpError).
   */
  result(): Promise<CallToolResult> {
    if (this.#result === undefined) {
      this.#result = this.#wait()
      this.#result.catch(() => undefined)
    }
    return this.#result
  }

  /** Cancels the task; resolves with its state. Rejects with -32602 when it has already ended. */
  async cancel(): Promise<TaskInfo> {
    this.#learn(await this.#wire.cancel(this.taskId))
    return this.#task
  }

  /** Yields the current state, then each later one that this tab receives; ends after the final one. If the task was deleted, throws what `result` rejects with. */
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
    try {
      return await this.#wire.outcome(this.taskId, (task) => this.#learn(task), this.#stopOn)
    } catch (error) {
      // The SDK wraps the reason into an error of its own.
      this.#stopOn?.throwIfAborted()
      throw error
    } finally {
      await this.#end()
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
  async #end(): Promise<void> {
    if (!isOver(this.#task)) {
      const task = await this.#wire.get(this.taskId).catch(() => undefined)
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
