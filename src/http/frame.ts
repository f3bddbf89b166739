// One message as it comes over a wire, or the error that answers what is none: https://www.jsonrpc.org/specification#error_object

import { type JSONRPCMessage, JSONRPCMessageSchema, type RequestId } from '@modelcontextprotocol/sdk/types.js'
import { toError } from '../errors.js'
import { isId } from '../link/json-rpc.js'
import { whatIsWrong } from '../link/what-is-wrong.js'

/** What a client may send in one message, in bytes, unless told otherwise: as much as one message of a task may have. */
export const defaultMaxMessage = 8 * 1024 * 1024

const codes = { parseError: -32700, invalidRequest: -32600 }

/** An error that answers no request, or one that cannot be read; the SDK's type knows no `null`. */
export interface Refusal {
  jsonrpc: '2.0'
  id: RequestId | null
  error: { code: number; message: string; data?: { code: string } }
}

export type Frame = { message: JSONRPCMessage } | { refusal: Refusal }

export const refuse = (code: number, message: string, id: RequestId | null = null): Refusal => ({
  jsonrpc: '2.0',
  id,
  error: { code, message }
})

export const tooLong = (limit: number, advice = 'see --max-message of the bridge'): Refusal =>
  refuse(codes.invalidRequest, `The message is larger than ${limit} bytes, the limit here: ${advice}`)

/** Leaves out a byte order mark, and refuses what is not UTF-8. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

export function readFrame(bytes: Uint8Array): Frame {
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(bytes))
  } catch (error) {
    return { refusal: refuse(codes.parseError, `Parse error: ${toError(error).message}`) }
  }
  if (JSONRPCMessageSchema.safeParse(value).success) return { message: value as JSONRPCMessage }
  return { refusal: refuse(codes.invalidRequest, `Invalid request: ${whatIsWrong(value)}`, idOf(value)) }
}

/** The id of a response names a request of the server: an error with it would answer one of the client's. */
const idOf = (value: unknown): RequestId | null =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  !('result' in value || 'error' in value) &&
  isId(value.id)
    ? value.id
    : null
