// Requests of intab's functions on a connection of MCP 2026-07-28. The Client of SDK v2 knows no tasks: what it cannot say
// or take is changed between it and its transport. So errors, signals and timeouts stay the Client's own.

import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type {
  JSONRPCErrorResponse,
  JSONRPCMessage,
  JSONRPCRequest,
  JSONRPCResponse,
  JSONRPCResultResponse,
  RequestId
} from '@modelcontextprotocol/sdk/types.js'
import { META, TASKS } from '../../modern/keys.js'
import { ask, type AskOptions, type ConnectedClient } from '../../protocol/connected-client.js'
import { tapped } from '../tap.js'

export interface Hook {
  /** What goes out in place of the request; undefined when the hook answers it, and nothing leaves the tab. */
  send(request: JSONRPCRequest, answer: (outcome: HookAnswer) => void): JSONRPCRequest | void
  /** What the client gets in place of the response. */
  receive?(response: JSONRPCResponse): JSONRPCResponse
  /** Called with what comes on this subscription; the client hears nothing of it. */
  heard?(method: string, params: Record<string, unknown>): void
}

type HookAnswer = Pick<JSONRPCResultResponse, 'result'> | Pick<JSONRPCErrorResponse, 'error'>

/** Rides in `_meta` from the caller to the transport, and never further. */
const HOOK = Symbol('intab hook')

type Hooks = Map<RequestId, Hook>
const known = new WeakMap<object, Hooks>()

/** Asks by way of the client's own `request`; the hook sees what passes, also each round of a call that asks. */
export function askWith(
  client: ConnectedClient,
  hook: Hook,
  method: string,
  params: { _meta?: object; [key: string]: unknown },
  options?: AskOptions
): Promise<Record<string, unknown>> {
  if (client.transport !== undefined) hooksOf(client, client.transport as Transport)
  return ask(client, method, { ...params, _meta: { ...params._meta, [HOOK]: hook } }, options)
}

function hooksOf(client: ConnectedClient, transport: Transport): void {
  if (known.has(transport)) return
  const hooks: Hooks = new Map()
  known.set(transport, hooks)
  const { send } = transport
  tapped(client).filter = (message) => filter(hooks, message)
  transport.send = (message, options) => {
    if ('method' in message && message.method === 'notifications/cancelled') {
      hooks.delete(message.params?.requestId as RequestId)
    }
    const found = 'id' in message && 'method' in message ? unhooked(message) : undefined
    if (found === undefined) return send.call(transport, message, options)
    const { hook, request } = found
    hooks.set(request.id, hook)
    const out = hook.send(request, (outcome) => {
      queueMicrotask(() => transport.onmessage?.({ jsonrpc: '2.0', id: request.id, ...outcome }))
    })
    return out === undefined ? Promise.resolve() : send.call(transport, out, options)
  }
}

function unhooked(message: JSONRPCRequest): { hook: Hook; request: JSONRPCRequest } | undefined {
  const { [HOOK]: hook, ...meta } = (message.params?._meta ?? {}) as { [HOOK]?: Hook; [key: string]: unknown }
  return hook && { hook, request: { ...message, params: { ...message.params, _meta: meta } } }
}

/** What the client gets of a message; undefined when it is none of its business. */
function filter(hooks: Hooks, message: JSONRPCMessage): JSONRPCMessage | undefined {
  if ('method' in message) {
    if ('id' in message) return message
    const heard = hooks.get(message.params?._meta?.[META.subscription] as RequestId)?.heard
    if (heard === undefined) return message
    heard(message.method, message.params ?? {})
    return undefined
  }
  const { id } = message
  const hook = id === undefined ? undefined : hooks.get(id)
  if (id !== undefined) hooks.delete(id)
  return hook?.receive?.(message) ?? message
}

/** What a request says that its client can do. */
export const declaredIn = (request: JSONRPCRequest): Record<string, unknown> =>
  (request.params?._meta?.[META.capabilities] ?? {}) as Record<string, unknown>

/** The request of a client that takes tasks, too. */
export const withTasks = (request: JSONRPCRequest): JSONRPCRequest => declaring(request, declaredIn(request))

/** The request of a client that takes tasks and answers no questions: none counts as shown to it. */
export const withTasksOnly = (request: JSONRPCRequest): JSONRPCRequest => declaring(request, {})

function declaring(request: JSONRPCRequest, capabilities: Record<string, unknown>): JSONRPCRequest {
  const extensions = { ...(capabilities.extensions as object | undefined), [TASKS]: {} }
  const _meta = { ...request.params?._meta, [META.capabilities]: { ...capabilities, extensions } }
  return { ...request, params: { ...request.params, _meta } }
}
