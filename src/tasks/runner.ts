// Runs handlers. Tools belong to the worker, not to a session: a tab that leaves changes nothing for its tasks.

import { IntabError, toError } from '../errors.js'
import type { JsonObject, TaskRecord } from '../types.js'
import { type End, endOfRefusal, endOfResult, endOfThrow } from './outcome.js'
import { persist } from './persist.js'
import { type Engine, RunContext } from './run-context.js'
import { fenceOf, holds } from './status.js'
import type { TaskContext } from './task-context.js'

/** A tool as the engine sees it: arguments in, a checked result out. */
export interface RunnableTool {
  name: string
  onInterrupt: 'fail' | 'resume'
  maxAttempts: number
  run(args: JsonObject, task: TaskContext): Promise<JsonObject>
}

export class Runner {
  readonly #engine: Engine
  readonly #onfinished: (task: TaskRecord) => void
  readonly #running = new Map<string, { task: TaskRecord; controller: AbortController }>()

  constructor(engine: Engine, onfinished: (task: TaskRecord) => void) {
    this.#engine = engine
    this.#onfinished = onfinished
  }

  get size(): number {
    return this.#running.size
  }

  /** Runs the handler of a stored task to its end; never throws. */
  start(task: TaskRecord, tool: RunnableTool): void {
    const controller = new AbortController()
    const run = { task, controller }
    this.#running.set(task.taskId, run)
    this.#run(task, tool, controller)
      .catch((error: unknown) => this.#engine.onerror(toError(error), `running ${tool.name}`))
      .finally(() => {
        if (this.#running.get(task.taskId) === run) this.#running.delete(task.taskId)
      })
  }

  /** Aborts the handler of a task that ended, went, or has another executor by now. */
  observe(taskId: string, task: TaskRecord | undefined): void {
    const run = this.#running.get(taskId)
    if (run === undefined || holds(fenceOf(run.task), task)) return
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

  async #run(task: TaskRecord, tool: RunnableTool, controller: AbortController): Promise<void> {
    const context = new RunContext(this.#engine, task, controller, tool.onInterrupt === 'resume')
    let end: End
    try {
      end = endOfResult(await Promise.race([tool.run(task.arguments, context), context.broken]))
    } catch (error) {
      end = endOfThrow(error)
    }
    await context.settled()
    if (controller.signal.aborted) return
    // From here on nobody need tell the handler of an end.
    this.#running.delete(task.taskId)
    const finished = await this.#engine.tasks.finish(fenceOf(task), end).catch((error: unknown) => {
      // What cannot be stored (too large, no JSON, no room) must not leave the task open: say so in its place.
      if (error instanceof IntabError && error.code === 'superseded') return undefined
      return persist(() => this.#engine.tasks.finish(fenceOf(task), endOfRefusal(error)), controller.signal)
    })
    if (finished !== undefined) this.#onfinished(finished)
    controller.abort(new IntabError('aborted', 'The task ended'))
  }
}
