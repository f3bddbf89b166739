// What may be sent to a second worker without knowing whether the first one did it.

import type { JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js'

/** Marks a tools/call that was sent before: the worker finds or makes the task by `intab/key`, or says that the tool may have run. */
export const retryKey = 'intab/retry'

const reads = /\/(list|read|get)$/

const repeatable = new Set([
  'initialize',
  'ping',
  'completion/complete',
  'resources/unsubscribe',
  'tasks/result',
  'tools/call',
  'server/discover',
  // Answers that are there already are ignored.
  'tasks/update',
  // Never answered while a worker lives: the next one takes it up.
  'subscriptions/listen',
  'intab/questions/take',
  'intab/forget',
  // A second cancel is refused because of the first: see `Ledger.secondCancel`.
  'tasks/cancel'
])

/** The newest of each, or of each and its `uri`, is the state of a session, which the next worker must hear. */
export const replayed: ReadonlySet<string> = new Set([
  'logging/setLevel',
  'resources/subscribe',
  'intab/watch',
  'intab/lend'
])

export const withMeta = (request: JSONRPCRequest, meta: Record<string, unknown>): JSONRPCRequest => ({
  ...request,
  params: { ...request.params, _meta: { ...request.params?._meta, ...meta } }
})

/** True for a request that reads only, comes to the same when repeated, or is known to the worker by its key. */
export const isSafeToResend = ({ method }: JSONRPCRequest): boolean =>
  reads.test(method) || repeatable.has(method) || replayed.has(method)
