// What may be sent to a second worker without knowing whether the first one did it.

import type { JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js'

/** Marks a tools/call that was sent before: the worker finds or makes the task by `intab/key`, or says that the tool may have run. */
export const retryKey = 'intab/retry'

const reads = /\/(list|read|get)$/

const repeatable = new Set([
  'initialize',
  'ping',
  'completion/complete',
  'logging/setLevel',
  'resources/subscribe',
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
  'intab/watch',
  // A second cancel is refused because of the first: see `Ledger.secondCancel`.
  'tasks/cancel'
])

/** True for a request that reads only, comes to the same when repeated, or is known to the worker by its key. */
export const isSafeToResend = ({ method }: JSONRPCRequest): boolean => reads.test(method) || repeatable.has(method)
