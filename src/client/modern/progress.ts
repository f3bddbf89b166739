// Progress of a task in MCP 2025-11-25, for the Client of SDK v2: that forgets a call's progress token with its answer.

import { hasCode, RPC } from '../../errors.js'
import type { Progress } from '../../types.js'
import { ask, type ConnectedClient } from '../../protocol/connected-client.js'
import { hear } from '../tap.js'
import { isOver, progressOf, type TaskInfo, taskInfo } from '../task-info.js'

/** Tells the progress of the task to its end; none of a server that is not intab's. */
export async function tellProgress(
  client: ConnectedClient,
  { taskId }: TaskInfo,
  onprogress: (progress: Progress) => void
): Promise<void> {
  const tell = progressOf(taskId, onprogress)
  const stop = hear(client, (method, params) => {
    const task = taskInfo(params)
    if (task !== undefined) tell(task)
    const isGone = method === 'notifications/intab/removed' && params?.taskId === taskId
    if (isGone || (task?.taskId === taskId && isOver(task))) stop()
  })
  await ask(client, 'intab/watch').catch((error: unknown) => {
    stop()
    if (!hasCode(error, RPC.methodNotFound)) throw error
  })
}
