// Nothing stays `working` without a living executor.

import type { Roster, TaskRecord, TaskStore } from '../types.js'
import { interruptedEnd } from './outcome.js'
import { each } from './reconcile.js'
import type { RunnableTool, Runner } from './runner.js'
import { fenceOf } from './status.js'

/** However far it gets each time, a task is not run more often than this. */
const inNoCase = 1000

export interface Recovery {
  tasks: TaskStore
  roster: Roster
  runner: Runner
  /** Undefined for a tool that this build lacks. */
  toolOf(task: TaskRecord): RunnableTool | undefined
  executor: string
  onrecovered(task: TaskRecord): void
}

/**
 * Takes over what an executor left that does not run it: runs again what can resume, fails the rest. One compare-and-set a
 * task, so that of several workers only one acts. Resolves with the tasks of tools that this build lacks, which it leaves
 * alone: another build of the app, or another app of this name, may have them.
 */
export async function recover(recovery: Recovery, from: string): Promise<TaskRecord[]> {
  const unknown: TaskRecord[] = []
  await each(await recovery.roster.unfinished(from), async (task) => {
    if (from === recovery.executor && recovery.runner.has(task.taskId)) return
    const tool = recovery.toolOf(task)
    if (tool === undefined) unknown.push(task)
    else await takeOver(recovery, task, tool)
  })
  return unknown
}

async function takeOver(recovery: Recovery, task: TaskRecord, tool: RunnableTool): Promise<void> {
  const { tasks, roster, runner, executor, onrecovered } = recovery
  // Adopted before, though whoever did was told that it failed.
  if (task.executor === executor && tool.onInterrupt === 'resume') {
    const call = await tasks.call(task.taskId)
    return call && runner.start(task, tool, call)
  }
  if (tool.onInterrupt !== 'resume') return fail(recovery, task)
  if (isHopeless(task, tool.maxAttempts)) return fail(recovery, task, whyHopeless(task))
  const adopted = await roster.adopt(fenceOf(task), executor)
  if (adopted === undefined) return
  onrecovered(adopted.task)
  runner.start(adopted.task, tool, adopted.call)
}

/** A run that waits for a person, or got further than the one before, does not die of itself. */
const isHopeless = ({ attempt, provenAttempt = 0 }: TaskRecord, maxAttempts: number): boolean =>
  attempt - provenAttempt >= maxAttempts || attempt >= inNoCase

const whyHopeless = ({ attempt }: TaskRecord): string =>
  attempt >= inNoCase ? `it was run ${attempt} times` : `it was run ${attempt} times and got no further`

async function fail({ tasks, onrecovered }: Recovery, task: TaskRecord, why?: string): Promise<void> {
  const failed = await tasks.finish(fenceOf(task), interruptedEnd(why))
  if (failed !== undefined) onrecovered(failed)
}
