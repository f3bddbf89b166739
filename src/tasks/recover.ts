// Nothing stays `working` without a living executor.

import type { Roster, TaskRecord, TaskStore } from '../types.js'
import { interruptedEnd } from './outcome.js'
import type { RunnableTool, Runner } from './runner.js'
import { fenceOf } from './status.js'

/** However far it gets each time, a task is not run more often than this. */
const inNoCase = 1000

export interface Recovery {
  tasks: TaskStore
  roster: Roster
  runner: Runner
  tools: ReadonlyMap<string, RunnableTool>
  executor: string
  onrecovered(task: TaskRecord): void
}

/**
 * Takes over what a dead executor left: runs again what can resume, fails the rest. One compare-and-set a task, so
 * that of several workers only one acts. Resolves with the tasks of tools that this build lacks.
 */
export async function recover(recovery: Recovery, dead: string): Promise<TaskRecord[]> {
  const { roster, runner, tools, executor, onrecovered } = recovery
  const unknown: TaskRecord[] = []
  for (const task of await roster.unfinished(dead)) {
    const tool = tools.get(task.tool)
    if (tool === undefined) unknown.push(task)
    else if (tool.onInterrupt !== 'resume') await fail(recovery, task)
    else if (isHopeless(task, tool.maxAttempts)) {
      await fail(recovery, task, `it was run ${task.attempt} times and got no further`)
    } else {
      const adopted = await roster.adopt(fenceOf(task), executor)
      if (adopted === undefined) continue
      onrecovered(adopted)
      runner.start(adopted, tool)
    }
  }
  return unknown
}

/** A run that waits for a person, or got further than the one before, does not die of itself. */
const isHopeless = ({ attempt, provenAttempt = 0 }: TaskRecord, maxAttempts: number): boolean =>
  attempt - provenAttempt >= maxAttempts || attempt >= inNoCase

/** Fails what no living worker has a tool for; the fence spares what another has adopted meanwhile. */
export async function failUnknown(recovery: Recovery, tasks: readonly TaskRecord[]): Promise<void> {
  for (const task of tasks) await fail(recovery, task, `this version has no tool '${task.tool}'`)
}

async function fail({ tasks, onrecovered }: Recovery, task: TaskRecord, why?: string): Promise<void> {
  const failed = await tasks.finish(fenceOf(task), interruptedEnd(why))
  if (failed !== undefined) onrecovered(failed)
}
