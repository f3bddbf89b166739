// What every request of MCP 2026-07-28 says of its client, since there is no session that could know it.
// https://modelcontextprotocol.io/specification/2026-07-28/basic#_meta

import { invalidParams, RpcError } from '../errors.js'
import type { Capability, Json, JsonObject } from '../types.js'
import { META, MODERN, TASKS } from './keys.js'

export interface Envelope {
  /** What this client can answer. */
  can: Capability[]
  /** It takes a task in place of a result. */
  tasks: boolean
  /** Logs are wanted from this level on; none when absent. */
  logLevel: string | undefined
  progressToken: string | number | undefined
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const metaOf = (params: unknown): JsonObject =>
  isObject(params) && isObject(params['_meta']) ? params['_meta'] : {}

/** Methods that no earlier revision has: they are modern without an envelope, and are told that they lack it. */
const onlyModern = new Set(['server/discover', 'subscriptions/listen', 'tasks/update'])

/** Whether a request belongs to this revision. */
export function isModern(method: string, params: unknown): boolean {
  const meta = metaOf(params)
  return META.version in meta || META.capabilities in meta || onlyModern.has(method)
}

/**
 * Throws -32602 when the version or the capabilities are missing, -32022 for a version that is not this one.
 * `served` are the versions to try instead.
 */
export function readEnvelope(params: JsonObject, served: readonly string[]): Envelope {
  const meta = metaOf(params)
  const requested = meta[META.version]
  if (typeof requested !== 'string') throw missing(META.version, 'the protocol version as a string')
  if (requested !== MODERN) {
    throw new RpcError(-32022, `Unsupported protocol version: ${requested}`, { supported: [...served], requested })
  }
  const capabilities = meta[META.capabilities]
  if (!isObject(capabilities)) throw missing(META.capabilities, "the client's capabilities as an object")
  const { progressToken } = meta
  const level = meta[META.logLevel]
  return {
    can: capabilitiesOf(capabilities),
    tasks: isObject(capabilities.extensions) && isObject(capabilities.extensions[TASKS]),
    logLevel: typeof level === 'string' ? level : undefined,
    progressToken: typeof progressToken === 'string' || typeof progressToken === 'number' ? progressToken : undefined
  }
}

const missing = (key: string, what: string): RpcError =>
  invalidParams(`Invalid params: _meta['${key}'] is missing or malformed: send ${what}`)

/** What a client can answer. An empty `elicitation` means forms: https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#capabilities */
export function capabilitiesOf({ elicitation, sampling, roots }: JsonObject): Capability[] {
  const can: Capability[] = []
  if (isObject(elicitation)) {
    if (isObject(elicitation.form) || !isObject(elicitation.url)) can.push('elicitation.form')
    if (isObject(elicitation.url)) can.push('elicitation.url')
  }
  if (isObject(sampling)) can.push('sampling')
  if (isObject(sampling) && isObject(sampling.tools)) can.push('sampling.tools')
  if (isObject(roots)) can.push('roots')
  return can
}

/** The capabilities that would have to be declared, as MissingRequiredClientCapability names them. */
export function declare(missing: readonly string[]): JsonObject {
  const declared: JsonObject = {}
  for (const capability of missing) {
    let at = declared
    for (const part of capability.split('.')) {
      const next: Json = at[part] ?? {}
      at[part] = next
      if (isObject(next)) at = next
    }
  }
  return declared
}

/** -32021: the server cannot do this for a client that did not declare what it takes. */
export const missingCapability = (message: string, requiredCapabilities: JsonObject): RpcError =>
  new RpcError(-32021, message, { requiredCapabilities })

export function needTasks({ tasks }: Envelope): void {
  if (tasks) return
  throw missingCapability(`This needs the extension ${TASKS}: declare it in the request's client capabilities`, {
    extensions: { [TASKS]: {} }
  })
}
