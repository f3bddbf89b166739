// The shapes of JSON-RPC, told apart without the SDK's schemas: a tab should not carry them twice.

import type {
  JSONRPCErrorResponse,
  JSONRPCMessage,
  JSONRPCRequest,
  JSONRPCResponse,
  MessageExtraInfo,
  RequestId
} from '@modelcontextprotocol/sdk/types.js'
import { IntabError, toErrorObject } from '../errors.js'
import { depthProblem } from '../plain-json.js'

/** What a transport of intab tells beside a message: on the stream of which request it belongs, if of any. */
export interface RelatedInfo extends MessageExtraInfo {
  relatedRequestId?: RequestId
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isId = (value: unknown): value is RequestId => typeof value === 'string' || Number.isSafeInteger(value)

/** Whether it is a message by its outline: what a result or an error must be is known to whoever asked. */
export function isMessage(value: unknown): value is JSONRPCMessage {
  if (!isObject(value) || value['jsonrpc'] !== '2.0') return false
  if ('id' in value ? !isId(value['id']) : 'result' in value) return false
  if ('method' in value) return typeof value['method'] === 'string' && !('result' in value || 'error' in value)
  return 'result' in value ? !('error' in value) : 'error' in value
}

export function assertMessage(value: unknown): asserts value is JSONRPCMessage {
  if (isMessage(value)) return
  throw new IntabError(
    'not_json',
    'Invalid JSON-RPC message: it needs "jsonrpc": "2.0" and one of method, result and error; an id must be a string or an integer'
  )
}

export const isRequest = (message: JSONRPCMessage): message is JSONRPCRequest => 'method' in message && 'id' in message

export const isResponse = (message: JSONRPCMessage): message is JSONRPCResponse => !('method' in message)

/** The response that tells of whatever was thrown. */
export const failure = (id: RequestId, thrown: unknown): JSONRPCErrorResponse => ({
  jsonrpc: '2.0',
  id,
  error: toErrorObject(thrown)
})

/** The same for an error of intab's own, which tells of the task that the request was about. */
export function failureOf(request: JSONRPCRequest, error: IntabError): JSONRPCMessage {
  const taskId = request.params?.taskId
  const detailed = typeof taskId === 'string' ? new IntabError(error.code, error.message, { taskId }) : error
  return failure(request.id, detailed)
}

export const cancellation = (requestId: RequestId, reason: string): JSONRPCMessage => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId, reason }
})

/**
 * The message, or for a request or response that no port can carry the response that says so. Throws it for a
 * notification, and for what is no message.
 */
export function portable(message: JSONRPCMessage): JSONRPCMessage {
  assertMessage(message)
  const problem = depthProblem(message)
  if (problem === undefined) return message
  if (!('id' in message) || message.id === undefined) throw problem
  return failure(message.id, problem)
}
