// What a task came to: from what the handler returned or threw, or from what happened to it.

import { IntabError, isProtocolError, toError, toErrorObject } from '../errors.js'
import type { FinalStatus, JsonObject, Outcome } from '../types.js'

export interface End {
  status: FinalStatus
  outcome: Outcome
  statusMessage?: string
}

/** In the `_meta` of a result: what a client would have had to declare. Revision 2026-07-28 has an error for it. */
export const MISSING = 'intab/missing'

const errorResult = (text: string): JsonObject => ({ isError: true, content: [{ type: 'text', text }] })

const failedWith = (text: string): End => ({
  status: 'failed',
  outcome: { result: errorResult(text) },
  statusMessage: text
})

function firstText(result: JsonObject): string | undefined {
  const blocks = Array.isArray(result.content) ? result.content : []
  for (const block of blocks) {
    if (typeof block === 'object' && block !== null && !Array.isArray(block) && typeof block.text === 'string') {
      return block.text
    }
  }
  return undefined
}

/** A tool result with `isError: true` means `failed`: https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#task-execution-errors */
export function endOfResult(result: JsonObject): End {
  if (result.isError !== true) return { status: 'completed', outcome: { result } }
  return { status: 'failed', outcome: { result }, statusMessage: firstText(result) ?? 'The tool reported an error' }
}

/** An error of the protocol is kept as the JSON-RPC error that tasks/result answers with; any other becomes an error result, as in a plain tool call. */
export function endOfThrow(thrown: unknown): End {
  if (isProtocolError(thrown)) {
    const error = toErrorObject(thrown)
    return { status: 'failed', outcome: { error }, statusMessage: error.message }
  }
  const end = failedWith(toError(thrown).message)
  if (!(thrown instanceof IntabError) || thrown.code !== 'missing_capability') return end
  return { ...end, outcome: { result: { ...errorResult(thrown.message), _meta: { [MISSING]: thrown.data ?? null } } } }
}

/** What to keep in place of an end that could not be stored: the store's trouble with its data, or what is wrong with the result. */
export function endOfRefusal(refusal: unknown): End {
  const isStores = refusal instanceof IntabError && (refusal.code === 'quota' || refusal.code === 'storage_busy')
  if (!isStores) return endOfThrow(refusal)
  return { status: 'failed', outcome: { error: toErrorObject(refusal) }, statusMessage: refusal.message }
}

export const cancelledEnd: End = {
  status: 'cancelled',
  outcome: { result: errorResult('Task was cancelled') },
  statusMessage: 'Task was cancelled'
}

const stopped = 'The worker that ran this task stopped before it finished'

export const interruptedEnd = (why?: string): End => failedWith(why === undefined ? stopped : `${stopped}: ${why}`)
