// A question that the client answers by a task of its own: we follow its tasks/result, on the connection that holds the question.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#creating-tasks

import { toErrorObject } from '../errors.js'
import { createTaskResult } from '../protocol/results.js'
import { persist } from '../tasks/persist.js'
import type { RequestRecord } from '../types.js'
import type { Hub } from './hub.js'
import type { Session } from './session.js'

/** The id of the client's task, when the question asked for one and the answer names it. */
export function hostedTask(request: RequestRecord, { result }: { result?: unknown }): string | undefined {
  if (request.params.task === undefined) return undefined
  const parsed = createTaskResult().safeParse(result)
  return parsed.success ? parsed.data.task.taskId : undefined
}

/** Asks the client for its task's result and hands that on as the answer; the question stays claimed until then. */
export function followHosted(
  hub: Hub,
  session: Session,
  requestId: string,
  taskId: string,
  answer: (response: { result?: unknown; error?: unknown }) => Promise<void>
): void {
  const gone = (): boolean => session.signal.aborted
  session.hosted.set(requestId, taskId)
  session
    .request('tasks/result', { taskId })
    .then(
      (result) => ({ result }),
      (error: unknown) => (gone() ? undefined : { error: toErrorObject(error) })
    )
    // What cannot be stored now is fetched again, by a later look at the open questions.
    .then((response) => response && persist(() => answer(response), session.signal))
    .catch((error: Error) => hub.onerror(error, `following the client's task for ${requestId}`))
    .finally(() => {
      if (session.hosted.get(requestId) === taskId) session.hosted.delete(requestId)
    })
}
