// The shapes of JSON-RPC, told apart without the SDK's schemas: a tab should not carry them twice.

import type {
  JSONRPCErrorResponse,
  JSONRPCMessage,
  JSONRPCRequest,
  JSONRPCResponse,
  RequestId
} from '@modelcontextprotocol/sdk/types.js'
import { toErrorObject } from '../errors.js'

export function isMessage(value: unknown): value is JSONRPCMessage {
  if (typeof value !== 'object' || value === null || !('jsonrpc' in value) || value.jsonrpc !== '2.0') return false
  return 'method' in value ? typeof value.method === 'string' : 'result' in value || 'error' in value
}

export const isRequest = (message: JSONRPCMessage): message is JSONRPCRequest => 'method' in message && 'id' in message

export const isResponse = (message: JSONRPCMessage): message is JSONRPCResponse => !('method' in message)

/** The response that tells of whatever was thrown. */
export const failure = (id: RequestId, thrown: unknown): JSONRPCErrorResponse => ({
  jsonrpc: '2.0',
  id,
  error: toErrorObject(thrown)
})

export const cancellation = (requestId: RequestId, reason: string): JSONRPCMessage => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId, reason }
})
