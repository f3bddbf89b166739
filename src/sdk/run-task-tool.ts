// Runs a task tool's handler for a task that the SDK's store holds.

import type { Task } from '@modelcontextprotocol/sdk/types.js'
import { IntabError } from '../errors.js'
import type { TaskTool } from '../tool/tool.js'
import { type End, endOfResult, endOfThrow } from '../tasks/outcome.js'
import { pause } from '../time.js'
import type { JsonObject } from '../types.js'
import { SdkTaskContext } from './sdk-task-context.js'
import { type Call, StoredTask } from './stored-task.js'

/** Milliseconds between looks at a task that runs. */
const longestInterval = 1_000

/** Runs the handler to its end; never throws. Goes on when the client is gone. */
export function runTaskTool(call: Call, tool: TaskTool, args: JsonObject, { taskId, pollInterval }: Task): void {
  const controller = new AbortController()
  const { signal } = controller
  const onended = (): void => controller.abort(new IntabError('aborted', 'Task was cancelled, expired or deleted'))
  const task = new StoredTask(call, taskId, onended)

  const run = async (): Promise<void> => {
    let end: End
    try {
      end = endOfResult(await tool.run(args, new SdkTaskContext(call, task, signal)))
    } catch (error) {
      end = endOfThrow(error)
    }
    await task.finish(end, signal)
  }
  run()
    .catch((error: unknown) => task.onerror(error))
    .finally(() => controller.abort(new IntabError('aborted', 'The task ended')))
  watch(task, Math.min(pollInterval ?? longestInterval, longestInterval), signal)
}

/** Nothing in the SDK tells a handler that its task was cancelled, least of all by another process: it has to look. */
function watch(task: StoredTask, interval: number, signal: AbortSignal): void {
  pause(interval, signal).then(
    () =>
      task
        .look()
        .catch((error: unknown) => task.onerror(error))
        .finally(() => watch(task, interval, signal)),
    () => undefined
  )
}
