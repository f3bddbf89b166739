// Errors in the codes of MCP 2026-07-28: https://modelcontextprotocol.io/specification/2026-07-28/basic#error-codes

import { RPC, toErrorObject } from '../errors.js'
import { MISSING } from '../tasks/outcome.js'
import type { ErrorObject, JsonObject, Outcome } from '../types.js'
import { declare, isObject, metaOf } from './envelope.js'

/** -32021 MissingRequiredClientCapability and its neighbours, which may be sent as they are. */
const defined = new Set([-32020, -32021, -32022])

/** The error as this revision says it; codes that it reserves and a tool made up become -32603. */
export function modernError(error: ErrorObject): ErrorObject {
  const { code, message, data } = error
  // What 2025-11-25 has for a resource that is not there.
  if (code === -32002) return { ...error, code: RPC.invalidParams }
  const isReserved = code <= -32020 && code >= -32099 && !defined.has(code)
  return isReserved ? { code: RPC.internal, message, data: { ...(isObject(data) && data), thrown: code } } : error
}

/** What a call came to, as this revision says it: a tool that lacked a capability of its client is an error here. */
export function modernOutcome(outcome: Outcome): { result: JsonObject } | { error: ErrorObject } {
  if ('error' in outcome) return { error: modernError(outcome.error) }
  const { result } = outcome
  const lacking = metaOf(result)[MISSING]
  if (!isObject(lacking) || !Array.isArray(lacking.missing)) return { result }
  const [first] = Array.isArray(result.content) ? result.content : []
  const message =
    isObject(first) && typeof first.text === 'string' ? first.text : 'A capability of the client is missing'
  return { error: { code: -32021, message, data: { requiredCapabilities: declare(lacking.missing.map(String)) } } }
}

export const toModernError = (thrown: unknown): ErrorObject => modernError(toErrorObject(thrown))
