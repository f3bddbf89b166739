// Errors have codes; the text says what to do next.

import type { ErrorObject, Json } from './types.js'

/** Codes of errors that intab raises by itself; over the wire they ride in `data.code`. */
export type IntabCode =
  | 'aborted'
  | 'blocked'
  | 'closed'
  | 'diverged'
  | 'duplicate_step'
  | 'duplicate_tool'
  | 'insecure_context'
  | 'invalid_options'
  | 'key_conflict'
  | 'key_required'
  | 'limit_reached'
  | 'may_have_run'
  | 'missing_capability'
  | 'no_handler'
  | 'not_json'
  | 'quota'
  | 'setup_failed'
  | 'storage_busy'
  | 'storage_refused'
  | 'superseded'
  | 'timeout'
  | 'too_large'
  | 'worker_failed'
  | 'worker_gone'

/**
 * JSON-RPC codes: https://www.jsonrpc.org/specification#error_object. Those below -31000 are intab's own: they lie outside the
 * range that JSON-RPC reserves, of which MCP 2026-07-28 gives -32020 to -32099 to itself.
 */
export const RPC = {
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  limitReached: -31029,
  mayHaveRun: -31030,
  superseded: -31031,
  workerGone: -31032
} as const

const wireCodes: Partial<Record<IntabCode, number>> = {
  diverged: RPC.invalidParams,
  invalid_options: RPC.invalidParams,
  key_conflict: RPC.invalidParams,
  limit_reached: RPC.limitReached,
  may_have_run: RPC.mayHaveRun,
  missing_capability: RPC.invalidParams,
  not_json: RPC.invalidParams,
  superseded: RPC.superseded,
  too_large: RPC.limitReached,
  worker_gone: RPC.workerGone
}

/** An error of intab's own, told apart by its string `code`. */
export class IntabError extends Error {
  override name = 'IntabError'
  /** What went wrong; docs/troubleshooting.md says for each code what to do. */
  readonly code: IntabCode
  /** What the message names, where a program may need it: a reason, a limit, a path. */
  readonly data: Json | undefined

  constructor(code: IntabCode, message: string, data?: Json, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.data = data
  }
}

/** An error as JSON-RPC says it, with an integer `code`. Not the SDK's McpError, whose text gains a prefix on each side. */
export class RpcError extends Error {
  override name = 'RpcError'
  /** The code of JSON-RPC or MCP, such as -32602. */
  readonly code: number
  /** Goes over the wire as `error.data`. */
  readonly data: Json | undefined

  constructor(code: number, message: string, data?: Json) {
    super(message)
    this.code = code
    this.data = data
  }
}

export const invalidParams = (message: string, data?: Json): RpcError => new RpcError(RPC.invalidParams, message, data)
export const methodNotFound = (message: string): RpcError => new RpcError(RPC.methodNotFound, message)

/** Whatever was thrown, as an error that says something: a DOMException may have a name and no message. */
export function toError(thrown: unknown): Error {
  if (!(thrown instanceof Error)) return new Error(String(thrown) || 'An empty string was thrown')
  if (thrown.message !== '') return thrown
  const { name } = thrown
  return Object.assign(new Error(`${name} without a message`, { cause: thrown }), thrown, { name })
}

/**
 * True for an error of the protocol: an RpcError, or an McpError of whichever copy of the SDK. Other errors have integer
 * codes that mean something else, as a DOMException's 23 for a timeout.
 */
export function isProtocolError(thrown: unknown): thrown is { code: number; message: string; data?: Json } {
  if (typeof thrown !== 'object' || thrown === null) return false
  const { code, message, name } = thrown as { code?: unknown; message?: unknown; name?: unknown }
  if (!Number.isSafeInteger(code) || typeof message !== 'string') return false
  return thrown instanceof RpcError || name === 'RpcError' || name === 'McpError' || message.startsWith(prefix(code))
}

/** What an McpError puts before its text, and a client puts there again. */
const prefix = (code: unknown): string => `MCP error ${String(code)}: `

export function withoutPrefix(code: number, message: string): string {
  let plain = message
  while (plain.startsWith(prefix(code))) plain = plain.slice(prefix(code).length)
  return plain
}

/** True for an error with this code, of whatever client. */
export const hasCode = (thrown: unknown, code: number): boolean =>
  (thrown as { code?: unknown } | undefined)?.code === code

/** Whatever was thrown, as the error of a JSON-RPC response. */
export function toErrorObject(thrown: unknown): ErrorObject {
  if (isProtocolError(thrown)) {
    const { code, data } = thrown
    const message = withoutPrefix(code, thrown.message)
    return data === undefined ? { code, message } : { code, message, data }
  }
  if (thrown instanceof IntabError) {
    const code = wireCodes[thrown.code] ?? RPC.internal
    const details =
      typeof thrown.data === 'object' && thrown.data !== null && !Array.isArray(thrown.data) ? thrown.data : {}
    return { code, message: thrown.message, data: { ...details, code: thrown.code } }
  }
  return { code: RPC.internal, message: toError(thrown).message }
}

/** Why a watch ended: its signal aborted, or the bus was closed. */
export const endOfWatch = (signal: AbortSignal): unknown =>
  signal.aborted ? signal.reason : new IntabError('closed', 'This server was closed while it waited')
