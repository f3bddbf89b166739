// Answers to questions of tasks: validated, written, announced, and only then acknowledged to the tab.

import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { isTaskRequestId } from './generation-ids.js'
import { checkAnswer } from './check-answer.js'
import { followHosted, hostedTask } from './hosted-task.js'
import type { Hub } from './hub.js'
import type { Session } from './session.js'

/** `task:<taskId>:<uuid>` */
export const taskIdOf = (requestId: string): string => requestId.slice('task:'.length, requestId.lastIndexOf(':'))

/** A promise for what is an answer to a task's question, undefined for anything else; it settles once the answer is safe. */
export function takeAnswer(hub: Hub, session: Session, message: JSONRPCMessage): Promise<void> | undefined {
  if ('method' in message || !isTaskRequestId(message.id)) return undefined
  return write(hub, session, message.id, message)
}

async function write(
  hub: Hub,
  session: Session,
  requestId: string,
  response: { result?: unknown; error?: unknown }
): Promise<void> {
  const taskId = taskIdOf(requestId)
  const request = await hub.messages.request(taskId, requestId)
  if (request === undefined || request.owner !== session.owner || request.answer !== undefined) return
  const hosted = hostedTask(request, response)
  if (hosted !== undefined)
    return followHosted(hub, session, request, hosted, (answer) => write(hub, session, requestId, answer))
  session.held.delete(requestId)
  if (await hub.messages.answer(requestId, session.owner, checkAnswer(request, response))) {
    hub.emit({ type: 'answered', taskId, requestId, connection: session.connection })
  }
}
