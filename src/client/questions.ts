// The owner's open questions, whichever tab shows them.

import { ask, type ConnectedClient, isModern } from '../protocol/connected-client.js'
import { modern } from './era.js'

/** A question of a tool that has no answer yet. */
export interface Question {
  /** Pass it to `takeQuestion`. */
  requestId: string
  /** The task that asks. */
  taskId: string
  /** `elicitation/create` or `sampling/createMessage`. */
  method: string
  /** The params of the request, as the client's handler gets them. */
  params: Record<string, unknown>
  /** ISO 8601. */
  enqueuedAt: string
  /** True if a tab shows it. */
  shown: boolean
  /** Since when; ISO 8601. Absent while no tab shows it. */
  shownSince?: string
  /** True if this client shows it. */
  here: boolean
}

/** All open questions, oldest first. */
export async function listQuestions(client: ConnectedClient): Promise<Question[]> {
  const { questions } = await ask(client, 'intab/questions/list')
  return (Array.isArray(questions) ? questions : []) as Question[]
}

/**
 * Moves a question to this client: its handler is called, and the tab that showed the question withdraws it.
 * Rejects with -32602 when the question is no longer open, or needs a capability that this client did not declare.
 */
export async function takeQuestion(client: ConnectedClient, requestId: string): Promise<void> {
  const { taskId } = await ask(client, 'intab/questions/take', { requestId })
  // There the server asks nobody: the question comes to who follows its task.
  if (isModern(client)) (await modern()).answerFor(client, String(taskId))
}
