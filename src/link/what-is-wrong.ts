// Words for whoever sent what is no message of MCP.

import { isId, isObject } from './json-rpc.js'

/** Why a value that came as JSON is no message; for one that is in its outline, what the schemas of MCP refuse. */
export function whatIsWrong(value: unknown): string {
  if (Array.isArray(value)) return 'MCP has no batches since revision 2025-06-18. Send each message by itself'
  if (!isObject(value)) return `a message must be an object (got ${short(value)})`
  const { jsonrpc, id, method, params, result, error, ...others } = value
  if (jsonrpc !== '2.0') return `jsonrpc must be "2.0" (got ${short(jsonrpc)})`
  if ('id' in value && !isId(id)) return `id must be a string or an integer (got ${short(id)})`
  const kinds = ['method', 'result', 'error'].filter((kind) => kind in value)
  if (kinds.length !== 1) return `a message has either method, result or error (got ${kinds.join(' and ') || 'none'})`
  if ('result' in value) return `a result must have an id, and be an object (got ${short(result)})`
  if ('error' in value) return `error must be an object with an integer code and a message (got ${short(error)})`
  if (typeof method !== 'string') return `method must be a string (got ${short(method)})`
  if (params !== undefined && !isObject(params)) return `params must be an object (got ${short(params)})`
  const [foreign] = Object.keys(others)
  return foreign === undefined ? 'params._meta does not fit MCP' : `${short(foreign)} is not a member of a message`
}

const short = (value: unknown): string => {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'an array'
  if (isObject(value)) return 'an object'
  const text = JSON.stringify(value) ?? typeof value
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
