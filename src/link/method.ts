// A request that intab answers by itself, in whichever revision of the protocol it was asked.

import type { RequestId } from '@modelcontextprotocol/sdk/types.js'
import { IntabError } from '../errors.js'
import type { JsonObject } from '../types.js'

export interface Incoming {
  id: RequestId
  params: JsonObject
  /** Aborts with `cancelled` when the client cancels the request, with the connection's reason when that ends. */
  signal: AbortSignal
}

export interface Reply {
  result: JsonObject
  /** Called right before the reply is sent, so that what this sends travels with it. */
  first?(): void
  /** Called once the reply was handed to the port, or could not be; a page that is frozen takes it later. */
  sent?(): void
  /** Called when the client cancelled the request before it took the reply; in place of both others when the reply was not sent by then. */
  cancelled?(): Promise<void>
}

export interface Method {
  /** Whether this request is intab's; default: always. */
  mine?(params: JsonObject): boolean
  answer(request: Incoming): Promise<Reply>
}

/** The reason with which a request aborts that its client cancelled. */
export const cancelled = new IntabError('aborted', 'The client cancelled the request')
