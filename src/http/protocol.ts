// What the HTTP side asks of a revision of the protocol. Each has a class of its own; the first that takes a request answers it.

import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { Outflow } from './outflow.js'

/** A request that may come in: its sender is allowed to, and its body, if it should have one, is a message. */
export interface Incoming {
  /** Without its body; its signal aborts when its sender is gone. */
  request: Request
  /** Of a POST. */
  message: JSONRPCMessage | undefined
}

export interface Handled {
  response: Response
  /** Called once the response is written, or its reader gone. */
  onend?(): void
  /** Bounds what its client leaves unread; shared by the streams of one client. */
  outflow?: Outflow
}

export interface Protocol {
  /** Whether the request is one of this revision. */
  takes(incoming: Incoming): boolean
  handle(incoming: Incoming): Promise<Handled>
  /** Answers what is open with the error, and ends. */
  close(reason: Error): Promise<void>
}
