// Requests that the SDK's server answers, translated on their way in and back.

import type { Incoming } from '../link/method.js'
import { invalidParams, RPC, RpcError, toErrorObject } from '../errors.js'
import type { JsonObject } from '../types.js'
import type { Envelope } from './envelope.js'
import { isObject, metaOf } from './envelope.js'
import type { ModernHost } from './host.js'

/** Results that say how long they may be kept: https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching */
const cached = new Set(['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list', 'resources/read'])

/** Always right: ask again each time, and share it with nobody. */
export const uncached = { ttlMs: 0, cacheScope: 'private' } as const

const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']

/** Passes on what a request may hear while it runs: rising progress of its token, and logs from the level that it asked for. */
export function relay(
  host: ModernHost,
  { id, signal }: Pick<Incoming, 'id' | 'signal'>,
  { logLevel, progressToken }: Envelope
): (method: string, params: JsonObject) => void {
  let told = -Infinity
  const wanted = (method: string, params: JsonObject): boolean => {
    if (method === 'notifications/message') {
      return (
        logLevel !== undefined &&
        typeof params.level === 'string' &&
        levels.indexOf(params.level) >= levels.indexOf(logLevel)
      )
    }
    if (method !== 'notifications/progress' || progressToken === undefined) return false
    const { progress } = params
    if (params.progressToken !== progressToken || typeof progress !== 'number' || progress <= told) return false
    told = progress
    return true
  }
  return (method, params) => {
    if (signal.aborted || !wanted(method, params)) return
    host.send({ jsonrpc: '2.0', method, params }, id).catch((error: Error) => {
      if (!host.signal.aborted) host.onerror(error, method)
    })
  }
}

/** What only this revision knows of a request's params stays here. */
function asLegacy(params: JsonObject): JsonObject {
  const kept = Object.entries(metaOf(params)).filter(([key]) => !key.startsWith('io.modelcontextprotocol/'))
  const rest = without(params, 'task', 'inputResponses', 'requestState', '_meta')
  return kept.length > 0 ? { ...rest, _meta: Object.fromEntries(kept) } : rest
}

function without(object: JsonObject, ...keys: string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)))
}

/** Rejects with the SDK's error, -32602 for a tool that is not there. */
export async function forward(
  host: ModernHost,
  method: string,
  request: Incoming,
  envelope: Envelope
): Promise<JsonObject> {
  const { params, signal } = request
  const onnotification = relay(host, request, envelope)
  const asked = host.ask(method, asLegacy(params), { signal, onnotification })
  const result = await (method === 'resources/read' ? asked.catch(namingUri(params)) : asked)
  if (method === 'tools/call') checkFound(result, params)
  if (method === 'tools/list' && Array.isArray(result.tools)) {
    const tools = result.tools.map((tool) => (isObject(tool) ? without(tool, 'execution') : tool))
    return { ...result, tools, ...uncached }
  }
  return cached.has(method) ? { ...result, ...uncached } : result
}

/** https://modelcontextprotocol.io/specification/2026-07-28/server/resources#error-handling */
const namingUri =
  ({ uri = null }: JsonObject) =>
  (error: unknown): never => {
    const { code, message, data } = toErrorObject(error)
    const isMissing = (code === RPC.invalidParams || code === -32002) && data === undefined
    throw new RpcError(code, message, isMissing ? { uri } : data)
  }

/** McpServer answers a call of an unknown tool with a result; here it is an error: https://modelcontextprotocol.io/specification/2026-07-28/server/tools#error-handling */
function checkFound({ isError, content }: JsonObject, { name }: JsonObject): void {
  const [first] = Array.isArray(content) ? content : []
  if (isError !== true || !isObject(first) || typeof first.text !== 'string') return
  const said = /^MCP error -32602: (Tool (.*) (?:not found|disabled))$/s.exec(first.text)
  if (said?.[1] !== undefined && said[2] === name) throw invalidParams(said[1])
}
