// Why a connection ends, in the words that reach the app.

import { IntabError, RPC, RpcError } from '../errors.js'
import type { Json } from '../types.js'

export const closed = (message: string, data?: Json, cause?: unknown): IntabError =>
  new IntabError('closed', message, data, { cause })

export const superseded = (data?: Json): IntabError =>
  new IntabError('superseded', 'A newer version of this app has taken over: reload the page', data)

export const workerGone = (cause?: unknown): IntabError =>
  new IntabError('worker_gone', 'The worker stopped before it answered, and may have done the work', undefined, {
    cause
  })

/** True for an error that a retry cannot fix: the worker parsed the message and rejected it. */
export const isFinal = (error: unknown): boolean =>
  (error instanceof RpcError && error.code === RPC.invalidParams) ||
  (error instanceof IntabError && error.code === 'not_json')
