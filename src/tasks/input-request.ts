// A question to the user or the model is a row, and so is its answer: whoever runs the task finds it by watching.

import { endOfWatch, IntabError, RpcError } from '../errors.js'
import type { Capability, Fence, JsonObject, MessageQueue, RequestDraft, TaskRecord, UpdateBus } from '../types.js'
import { at } from './timer.js'

export const REQUEST_TIMEOUT = -32001

/** Throws before anything is queued when the client that created the task cannot answer. */
export function assertCan(task: TaskRecord, needs: readonly Capability[]): void {
  const missing = needs.filter((need) => !task.capabilities.includes(need))
  if (missing.length === 0) return
  throw new IntabError(
    'missing_capability',
    `The client does not support ${missing.join(' and ')}: declare it in its capabilities, or do without the question`,
    { missing }
  )
}

export interface Asking {
  messages: MessageQueue
  bus: UpdateBus
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
  const { messages, bus, fence, signal, owner } = asking
  const row = await messages.ask(fence, draft)
  if (row === undefined) {
    asking.onfenced()
    throw signal.reason
  }
  let stop: (() => void) | undefined
  const expire = (): void => {
    const message = `Request timed out after ${draft.timeout} ms`
    messages
      .answer(row.requestId, owner, {
        error: { code: REQUEST_TIMEOUT, message, data: { timeout: draft.timeout ?? null } }
      })
      .catch(() => {
        stop = at(Date.now() + 1000, expire)
      })
  }
  try {
    for await (const _ of bus.watch(fence.taskId, signal)) {
      const now = await messages.request(fence.taskId, row.requestId)
      if (now?.answer !== undefined) {
        if ('error' in now.answer) {
          const { code, message, data } = now.answer.error
          throw new RpcError(code, message, data)
        }
        return now.answer.result
      }
      if (now === undefined || draft.timeout === undefined) continue
      stop?.()
      stop = now.deliveredAt === undefined ? undefined : at(now.deliveredAt + draft.timeout, expire)
    }
    throw endOfWatch(signal)
  } finally {
    stop?.()
  }
}
