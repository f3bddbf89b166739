// Runs handlers as workflows of DBOS. A workflow has the id of its task; DBOS keeps its steps, the task's row says who runs it.

import { AsyncLocalStorage } from 'node:async_hooks'
import { DBOS, DBOSWorkflowConflictError, Error as DbosError } from '@dbos-inc/dbos-sdk'
import { type IntabError, toError } from '../errors.js'
import { plainJson } from '../plain-json.js'
import type { Engine, Once } from '../tasks/run-context.js'
import { type RunnableTool, Runner } from '../tasks/runner.js'
import { fenceOf, holds, isFinal } from '../tasks/status.js'
import type { Fence, Json, TaskRecord, ToolCall } from '../types.js'

/** DBOS takes a call that is made within a workflow for a step of it; ours come from within by way of the bus. */
const outside = AsyncLocalStorage.snapshot()

export interface DbosRunnerOptions {
  /** The queue from which this process alone takes workflows that it resumes. */
  queue: string
  /** Bytes of one step's value. */
  limit: number
  /** Notes that this run got further than the one before it; false when it no longer has the task. */
  prove(fence: Fence): Promise<boolean>
  onfinished(task: TaskRecord): void
  /** Somebody cancelled the workflow in DBOS. */
  oncancelled(taskId: string): void
}

interface Expected {
  task: TaskRecord
  tool: RunnableTool
  call: ToolCall
}

/** What DBOS keeps of a step. One that failed is run again by the next attempt, as it is in a browser. */
type Kept = { value?: Json } | { failed: string }

export class DbosRunner extends Runner {
  readonly #engine: Engine
  readonly #options: DbosRunnerOptions
  readonly #flow: (taskId: string) => Promise<void>
  readonly #expected = new Map<string, Expected>()
  /** Tasks whose workflow may be there although starting it failed. */
  readonly #doubtful = new Set<string>()
  readonly #proven = new WeakSet<Fence>()

  constructor(engine: Engine, options: DbosRunnerOptions) {
    const once: Once = (step, act) => this.#once(step, act)
    super({ ...engine, once }, options.onfinished)
    this.#engine = engine
    this.#options = options
    this.#flow = DBOS.registerWorkflow((taskId: string) => this.#dispatch(taskId), {
      // The name stays from build to build: it is how DBOS finds the workflows of earlier ones.
      name: 'intab.task',
      // How often a task may be tried, its row tells.
      maxRecoveryAttempts: 1_000_000
    })
  }

  override start(task: TaskRecord, tool: RunnableTool, call: ToolCall): void {
    const { taskId } = task
    this.reserve(taskId)
    this.#expected.set(taskId, { task, tool, call })
    outside(() => this.#begin(task)).catch((error: unknown) => {
      this.#doubtful.add(taskId)
      this.#forsake(taskId)
      this.#engine.onerror(toError(error), `starting the workflow of ${taskId}, which is tried again`)
    })
  }

  override observe(taskId: string, task: TaskRecord | undefined): void {
    const expected = this.#expected.get(taskId)
    if (expected !== undefined && !holds(fenceOf(expected.task), task)) this.#forsake(taskId)
    super.observe(taskId, task)
  }

  override stop(reason: IntabError): void {
    this.#expected.clear()
    super.stop(reason)
  }

  /** The task has ended without a run of this process: so does its workflow. */
  settle(taskId: string): void {
    if (this.has(taskId)) return
    this.#control('cancelling', taskId, () => DBOS.cancelWorkflow(taskId))
  }

  /** The task is gone. */
  erase(taskId: string): void {
    this.#doubtful.delete(taskId)
    this.#control('deleting', taskId, () => DBOS.deleteWorkflow(taskId))
  }

  #control(what: string, taskId: string, act: () => Promise<unknown>): void {
    outside(act).catch((error: unknown) => this.#engine.onerror(toError(error), `${what} the workflow of ${taskId}`))
  }

  #forsake(taskId: string): void {
    this.#expected.delete(taskId)
    this.release(taskId)
  }

  async #begin({ taskId, attempt }: TaskRecord): Promise<void> {
    if ((attempt > 1 || this.#doubtful.delete(taskId)) && (await this.#resume(taskId))) return
    const handle = await DBOS.startWorkflow(this.#flow, { workflowID: taskId })(taskId)
    // What came of it is in the row.
    handle.getResult().catch(() => undefined)
  }

  /** False when the one who had the task before died before the workflow was there. */
  async #resume(taskId: string): Promise<boolean> {
    try {
      await DBOS.resumeWorkflow(taskId, { queueName: this.#options.queue })
      return true
    } catch (error) {
      if (error instanceof DbosError.DBOSNonExistentWorkflowError) return false
      throw error
    }
  }

  async #dispatch(taskId: string): Promise<void> {
    const expected = this.#expected.get(taskId)
    this.#expected.delete(taskId)
    if (expected !== undefined) await this.run(expected.task, expected.tool, expected.call)
    const left = await this.#engine.tasks.get(taskId).catch(() => expected?.task)
    // Whoever has the task now ends the workflow; of one that this process gave up, DBOS keeps nothing here.
    if (left !== undefined && !isFinal(left.status)) throw new DBOSWorkflowConflictError(taskId)
  }

  async #once({ fence, key, signal }: Parameters<Once>[0], act: () => unknown): Promise<unknown> {
    for (;;) {
      let thrown: { error: unknown } | undefined
      const run = async (): Promise<Kept> => {
        try {
          const value = await act()
          return value === undefined ? {} : { value: plainJson(value, 'value', this.#options.limit).value }
        } catch (error) {
          // A step that this run gave up has not failed: nothing is kept of it.
          if (signal.aborted) throw new DBOSWorkflowConflictError(fence.taskId)
          thrown = { error }
          return { failed: toError(error).message }
        }
      }
      const kept = await this.#keep(fence.taskId, key, run).catch((error: unknown) => {
        throw signal.aborted ? signal.reason : error
      })
      if (thrown !== undefined) throw thrown.error
      if (kept === undefined || 'failed' in kept) continue
      await this.#prove(fence, signal)
      return kept.value
    }
  }

  /** Undefined when another step has this one's place in the journal. */
  async #keep(taskId: string, key: string, run: () => Promise<Kept>): Promise<Kept | undefined> {
    try {
      return await DBOS.runStep(run, { name: key })
    } catch (error) {
      // DBOS finds steps by their order; where some run side by side, that may be another than in the run before.
      if (error instanceof DbosError.DBOSUnexpectedStepError) return this.#find(taskId, key)
      if (error instanceof DbosError.DBOSWorkflowCancelledError) this.#options.oncancelled(taskId)
      else if (error instanceof DBOSWorkflowConflictError) this.observe(taskId, undefined)
      throw error
    }
  }

  async #find(taskId: string, key: string): Promise<Kept | undefined> {
    const steps = (await outside(() => DBOS.listWorkflowSteps(taskId))) ?? []
    return steps.findLast(({ name }) => name === key)?.output as Kept | undefined
  }

  async #prove(fence: Fence, signal: AbortSignal): Promise<void> {
    if (this.#proven.has(fence)) return
    if (await this.#options.prove(fence)) {
      this.#proven.add(fence)
      return
    }
    this.observe(fence.taskId, undefined)
    throw signal.reason
  }
}
