// What a session's client sends and what the SDK's server answers, checked once as it crosses: every route carries JSON
// and nothing else, though a port could clone more.

import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { toErrorObject } from '../errors.js'
import { failure } from '../link/json-rpc.js'
import { plainJson } from '../plain-json.js'

/** The limit of a whole message; below it each part has its own. */
export const messageLimit = (bytes: number): number => Math.max(16 * 2 ** 20, 2 * bytes)

/**
 * The message as JSON carries it. A result that is not JSON, or nested too deep, becomes a `not_json` error; a request or
 * notification throws it.
 */
export function onlyJson(message: JSONRPCMessage, limit: number): JSONRPCMessage {
  if ('method' in message) {
    if (message.params === undefined) return message
    return { ...message, params: plainJson(message.params, 'params', limit).value } as JSONRPCMessage
  }
  try {
    if ('result' in message) {
      return { ...message, result: plainJson(message.result, 'result', limit).value } as JSONRPCMessage
    }
    return { ...message, error: plainJson(message.error, 'error', limit).value } as unknown as JSONRPCMessage
  } catch (error) {
    if ('result' in message) return failure(message.id, error)
    const { code, message: text } = message.error
    return { ...message, error: { code, message: text, data: toErrorObject(error).data } }
  }
}
