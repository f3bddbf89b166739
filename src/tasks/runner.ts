// Runs handlers. Tools belong to the worker, not to a session: a tab that leaves changes nothing for its tasks.

import { IntabError, toError } from '../errors.js'
import type { Fence, JsonObject, TaskRecord, ToolCall } from '../types.js'
import { type End, endOfResult, endOfThrow } from './outcome.js'
import { type Engine, RunContext } from './run-context.js'
import { fenceOf, holds } from './status.js'
import { storeEnd } from './store-end.js'
import type { TaskContext } from './task-context.js'

/** A tool as the engine sees it: arguments in, a checked result out. */
export interface RunnableTool {
  name: string
  onInterrupt: 'fail' | 'resume'
  maxAttempts: number
  run(args: JsonObject, task: TaskContext): Promise<JsonObject>
}

interface Run {
  task: TaskRecord
  controller: AbortController
  /** The handler has ended, and its end is being stored: the store tells whether the task is still its own. */
  over: boolean
}

const waitsForRoom =
  'The result is ready, but the storage of this site is full: delete tasks, or free disk space. It is stored once there is room'

export class Runner {
  readonly #engine: Engine
  readonly #onfinished: (task: TaskRecord) => void
  readonly #running = new Map<string, Run>()
  readonly #reserved = new Set<string>()

  constructor(engine: Engine, onfinished: (task: TaskRecord) => void) {
    this.#engine = engine
    this.#onfinished = onfinished
  }

  get size(): number {
    return this.#running.size
  }

  /** Of the tasks that run here. */
  get ids(): string[] {
    return [...this.#running.keys()]
  }

  /** Whether the task runs here, or will. */
  has(taskId: string): boolean {
    return this.#running.has(taskId) || this.#reserved.has(taskId)
  }

  /** The task is about to be stored: nobody else need run it. */
  reserve(taskId: string): void {
    this.#reserved.add(taskId)
  }

  /** The task will not run here after all. */
  release(taskId: string): void {
    this.#reserved.delete(taskId)
  }

  /** Runs the handler of a stored task to its end; never throws. */
  start(task: TaskRecord, tool: RunnableTool, call: ToolCall): void {
    this.run(task, tool, call).catch(() => undefined)
  }

  /** Resolves when the run is over; never rejects. */
  protected run(task: TaskRecord, tool: RunnableTool, call: ToolCall): Promise<void> {
    const run: Run = { task, controller: new AbortController(), over: false }
    this.#running.set(task.taskId, run)
    this.#reserved.delete(task.taskId)
    return this.#run(run, tool, call)
      .catch((error: unknown) => this.#engine.onerror(toError(error), `running ${tool.name}`))
      .finally(() => this.#forget(run))
  }

  /** Aborts the handler of a task that ended, went, or has another executor by now. */
  observe(taskId: string, task: TaskRecord | undefined): void {
    const run = this.#running.get(taskId)
    if (run === undefined || run.over || holds(fenceOf(run.task), task)) return
    // A handler that heeds no signal is left to itself.
    this.#forget(run)
    run.controller.abort(
      task?.status === 'cancelled'
        ? new IntabError('aborted', 'Task was cancelled')
        : new IntabError('superseded', task?.statusMessage ?? 'The task is gone')
    )
  }

  /** Aborts everything: this worker gives up. */
  stop(reason: IntabError): void {
    for (const { controller } of this.#running.values()) controller.abort(reason)
    this.#running.clear()
  }

  #forget(run: Run): void {
    if (this.#running.get(run.task.taskId) === run) this.#running.delete(run.task.taskId)
  }

  async #run(run: Run, tool: RunnableTool, call: ToolCall): Promise<void> {
    const { task, controller } = run
    const context = new RunContext(this.#engine, task, call.meta ?? {}, controller, tool.onInterrupt === 'resume')
    let end: End
    try {
      end = endOfResult(await Promise.race([tool.run(call.arguments, context), context.broken]))
    } catch (error) {
      end = endOfThrow(error)
    }
    await context.settled()
    if (controller.signal.aborted) return
    run.over = true
    const finished = await this.#store(task, end, controller.signal)
    if (finished !== undefined) this.#onfinished(finished)
    controller.abort(new IntabError('aborted', 'The task ended'))
  }

  async #store(task: TaskRecord, end: End, signal: AbortSignal): Promise<TaskRecord | undefined> {
    const fence = fenceOf(task)
    let before: { statusMessage?: string } = {}
    const onfailure = async (error: unknown): Promise<void> => {
      const code = error instanceof IntabError ? error.code : undefined
      // Whoever gave up the database tells of it.
      if (code === 'superseded' || code === 'closed') return
      this.#engine.onerror(toError(error), `storing the end of ${task.taskId}, which is tried again`)
      if (code === 'quota') before = await this.#tellThatItWaits(fence)
    }
    return storeEnd(end, (kept) => this.#engine.tasks.finish(fence, { ...before, ...kept }), { signal, onfailure })
  }

  /** A message fits where a result does not. Resolves with the message to put back. */
  async #tellThatItWaits(fence: Fence): Promise<{ statusMessage?: string }> {
    const { tasks, onerror } = this.#engine
    try {
      const { statusMessage = 'The result was stored once there was room' } = (await tasks.get(fence.taskId)) ?? {}
      await tasks.report(fence, { statusMessage: waitsForRoom })
      return { statusMessage }
    } catch (error) {
      onerror(toError(error), `telling that the end of ${fence.taskId} waits for room`)
      return {}
    }
  }
}
