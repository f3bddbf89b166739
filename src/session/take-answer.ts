// Answers to questions of tasks: validated, written, announced, and only then acknowledged to the tab.

import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { isTaskRequestId, taskIdOf } from '../ids.js'
import { isReturned } from '../lend/lend.js'
import { checkAnswer } from './check-answer.js'
import { followHosted, hostedTask } from './hosted-task.js'
import type { Outcome, Refusal, RequestRecord } from '../types.js'
import type { Hub } from './hub.js'
import type { Session } from './session.js'

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
  let returned = false
  let hosted: string | undefined
  let refused: Omit<Refusal, 'count'> | undefined
  const check = (request: RequestRecord): Outcome | undefined => {
    refused = undefined
    returned = request.lent === true && isReturned(response)
    if (returned) return undefined
    hosted = hostedTask(request, response)
    if (hosted !== undefined) return undefined
    // Before the answer is announced, so that nobody takes the question from the screen that answered it.
    const checked = checkAnswer(request, response, hub.limits.bytes)
    if ('refused' in checked) {
      refused = checked.refused
      return undefined
    }
    session.held.delete(requestId)
    return checked.outcome
  }
  const wasHeld = session.held.has(requestId)
  const answered = await hub.messages.answer(requestId, session.owner, check).catch((error: unknown) => {
    // The page keeps its answer, and the question, until it is told that the answer is safe.
    if (wasHeld && !session.signal.aborted) session.held.set(requestId, taskId)
    throw error
  })
  if (answered) {
    session.release(requestId)
    hub.emit({ type: 'answered', taskId, requestId, connection: session.connection })
  } else if (returned) {
    session.release(requestId)
    await hub.messages.giveBack(session.connection, { only: [requestId] })
  } else if (hosted !== undefined) {
    await host(hub, session, requestId, hosted)
  } else if (refused !== undefined) {
    await askAgain(hub, session, requestId, refused)
  }
}

/** Resolves when it is noted with the question: the next worker asks the client's task, and not the client again. */
async function host(hub: Hub, session: Session, requestId: string, taskId: string): Promise<void> {
  const row = await hub.messages.host(requestId, session.owner, session.connection, taskId)
  if (row !== undefined) follow(hub, session, row)
}

/** Waits for the client's task that is to answer a question, unless that is done already. */
export function follow(hub: Hub, session: Session, { requestId, taskId, hosted }: RequestRecord): void {
  if (hosted === undefined || session.hosted.get(requestId) === hosted) return
  session.held.set(requestId, taskId)
  followHosted(hub, session, requestId, hosted, (answer) => write(hub, session, requestId, answer))
}

/** Resolves when the refusal is noted with the question; the client may take its time to show it. */
async function askAgain(hub: Hub, session: Session, requestId: string, refused: Omit<Refusal, 'count'>): Promise<void> {
  const row = await hub.messages.refuse(requestId, session.owner, session.connection, refused)
  if (row === undefined) return
  session
    .askAgain(row)
    .catch(() => hub.messages.giveBack(session.connection, { only: [requestId] }))
    .catch((error: Error) => hub.onerror(error, `asking ${requestId} again`))
}
