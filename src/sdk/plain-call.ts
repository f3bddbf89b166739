// A plain call of an `optional` tool.

import type { RequestTaskStore } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { RequestId } from '@modelcontextprotocol/sdk/types.js'
import type { Call } from './stored-task.js'

/**
 * The SDK answers a plain call by polling the task, and by this very object; of a task-augmented call it never uses it
 * again. Nobody calls tasks/result then, so each poll delivers what tasks/result would: else a question would stay in
 * the queue for ever.
 */
export function deliverAtPolls(taskStore: RequestTaskStore, call: Call, taskId: string, requestId: RequestId): void {
  const { getTask } = taskStore
  taskStore.getTask = async (id) => {
    // Looked at before the queue is emptied: what is queued after the look of an ended task is nobody's.
    const task = await getTask(id)
    if (id === taskId) await deliver(call, taskId, requestId)
    return task
  }
}

async function deliver({ server, queue, sessionId }: Call, taskId: string, relatedRequestId: RequestId): Promise<void> {
  for (;;) {
    const queued = await queue.dequeue(taskId, sessionId)
    if (queued === undefined) return
    await server.server.transport?.send(queued.message, { relatedRequestId })
  }
}
