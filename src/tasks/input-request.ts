// A question to the user or the model is a row, and so is its answer: whoever runs the task finds it by watching.

import { IntabError, RpcError } from '../errors.js'
import { toolNameOf } from '../ids.js'
import type { Capability, ErrorObject, Fence, JsonObject, MessageQueue, RequestDraft, RequestRecord } from '../types.js'
import type { Answers } from './answers.js'
import { after } from '../time.js'
import type { Waiters } from './waiters.js'

export const REQUEST_TIMEOUT = -32001

/** A worker's request to the page of a tab that lends a tool; params are those of a tools/call. */
export const LENT_CALL = 'intab/lent/call'

/** Throws before anything is queued when a client that can do this cannot answer. */
export function assertCan(can: readonly Capability[], needs: readonly Capability[]): void {
  const missing = needs.filter((need) => !can.includes(need))
  if (missing.length === 0) return
  throw new IntabError(
    'missing_capability',
    `The client does not support ${missing.join(' and ')}: declare it in its capabilities, or do without the question`,
    { missing }
  )
}

/** A question as its next screen gets it: with why the answer before did not fit, for whoever shows no more than the message. */
export function shownParams({ params, refused }: RequestRecord): JsonObject {
  if (refused === undefined) return params
  const { message, _meta } = params
  const again = { ...refused, ...(message !== undefined && { message }) }
  return {
    ...params,
    message: `${typeof message === 'string' ? message : ''} (Your answer was not taken: ${refused.reason})`,
    _meta: { ...(_meta as JsonObject | undefined), 'intab/refused': again }
  }
}

export interface Asking {
  messages: MessageQueue
  waiters: Waiters
  answers: Answers
  owner: string
  fence: Fence
  signal: AbortSignal
  /** Called when somebody else runs the task now; must abort the signal. */
  onfenced(): void
}

/**
 * Resolves with the result that the client answered. Rejects with the error that it answered (an RpcError), with
 * RpcError -32001 when `timeout` passed after delivery, with the signal's reason when the task ended first.
 */
export async function ask(asking: Asking, draft: RequestDraft): Promise<JsonObject> {
  const { messages, waiters, answers, fence, signal, onfenced } = asking
  const store = async (): Promise<RequestRecord> => {
    const row = await messages.ask(fence, draft, waiters.find(fence.taskId, draft.needs))
    if (row !== undefined) return row
    onfenced()
    throw signal.reason
  }
  const deadline = answerDeadline(asking, draft.timeout)
  const answer = await answers.to(store, deadline.see).finally(deadline.stop)
  if (!('error' in answer)) return answer.result
  const { code, message, data } = answer.error
  throw new RpcError(code, message, data)
}

function timedOut({ lent, params, tab = '' }: RequestRecord, timeout: number): ErrorObject {
  if (!lent) return { code: REQUEST_TIMEOUT, message: `Request timed out after ${timeout} ms`, data: { timeout } }
  const message = `The page "${tab}" did not answer a call of its tool ${toolNameOf(params)} within ${timeout} ms`
  return { code: REQUEST_TIMEOUT, message, data: { timeout, tab } }
}

/** The time of a question runs from its delivery, and is an answer like any other when it is over. */
function answerDeadline(
  { messages, owner }: Asking,
  timeout: number | undefined
): { see(row: RequestRecord): void; stop(): void } {
  if (timeout === undefined) return { see: () => undefined, stop: () => undefined }
  let stop: (() => void) | undefined
  let since: number | undefined
  let over = false
  const expire = (requestId: string, error: ErrorObject): void => {
    messages.answer(requestId, owner, { error }).catch(() => {
      if (!over) stop = after(1000, () => expire(requestId, error))
    })
  }
  return {
    see(row) {
      const { requestId, deliveredAt } = row
      if (deliveredAt === since) return
      since = deliveredAt
      stop?.()
      stop = undefined
      if (deliveredAt === undefined) return
      // What is left is counted once: a clock that is set afterwards moves no timeout.
      const left = Math.min(timeout, deliveredAt + timeout - Date.now())
      stop = after(left, () => expire(requestId, timedOut(row, timeout)))
    },
    stop() {
      over = true
      stop?.()
    }
  }
}
