// What nearly all requests are, told without a schema: each need not be parsed to find that it can be.

import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { JsonObject } from '../types.js'
import { RELATED_TASK } from './project-task.js'

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** True for a `_meta` that every schema of the SDK takes; false tells nothing. */
export function isUsualMeta(meta: unknown): boolean {
  if (meta === undefined) return true
  if (!isObject(meta) || meta[RELATED_TASK] !== undefined) return false
  return meta['progressToken'] === undefined || Number.isSafeInteger(meta['progressToken'])
}

/** True for a request that the SDK's schema of requests takes; false tells nothing. */
export function isUsualRequest(message: JSONRPCMessage): boolean {
  const { id, params, ...others } = message as { id: unknown; params?: unknown }
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return false
  // Besides `jsonrpc` and `method`, which were checked.
  return (
    Object.keys(others).length === 2 && (params === undefined || (isObject(params) && isUsualMeta(params['_meta'])))
  )
}

/** True for params of a tool call that the SDK's schema of calls takes, but for `task`, which is not looked at; false tells nothing. */
export function isUsualCall(params: JsonObject): params is JsonObject & { name: string; _meta?: JsonObject } {
  if (!isObject(params) || typeof params['name'] !== 'string') return false
  return (params['arguments'] === undefined || isObject(params['arguments'])) && isUsualMeta(params['_meta'])
}
