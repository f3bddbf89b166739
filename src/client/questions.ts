// The owner's open questions, whichever tab shows them.

import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js'

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
  /** Some tab shows it. */
  shown: boolean
  /** This client shows it. */
  here: boolean
}

/** Every question that waits for an answer, oldest first. */
export async function listQuestions(client: Client): Promise<Question[]> {
  const { questions } = await client.request({ method: 'intab/questions/list' }, ResultSchema)
  return (Array.isArray(questions) ? questions : []) as Question[]
}

/**
 * Moves a question to this client: its own handler is asked, and the tab that showed it is told to take it away.
 * Rejects with -32602 when it is open no longer, or needs what this client did not declare.
 */
export async function takeQuestion(client: Client, requestId: string): Promise<void> {
  await client.request({ method: 'intab/questions/take', params: { requestId } }, ResultSchema)
}
