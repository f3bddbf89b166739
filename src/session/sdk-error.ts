// The SDK answers params that do not fit with -32603 and zod's issues as the text; JSON-RPC has a code for that. Its own
// errors carry their prefix into the text, and a client puts another before it.
// https://www.jsonrpc.org/specification#error_object

import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { RPC, withoutPrefix } from '../errors.js'

interface Issue {
  path: (string | number)[]
  message: string
}

function issuesIn(text: string): Issue[] | undefined {
  if (!text.startsWith('[')) return undefined
  try {
    const issues = JSON.parse(text) as Partial<Issue>[]
    return issues.every(({ path, message }) => Array.isArray(path) && typeof message === 'string')
      ? (issues as Issue[])
      : undefined
  } catch {
    return undefined
  }
}

/** The message with the right code and a readable text, if it is an error. */
export function mendError(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message)) return message
  const { error } = message
  const issues = error.code === RPC.internal ? issuesIn(error.message) : undefined
  if (issues === undefined)
    return { ...message, error: { ...error, message: withoutPrefix(error.code, error.message) } }
  const text = issues.map(({ path, message: issue }) => `${path.join('.')}: ${issue}`).join('; ')
  return { ...message, error: { ...error, code: RPC.invalidParams, message: `Invalid params: ${text}` } }
}
