// The signal that a client passes beside a request. The SDK's Client sends the cancellation itself; others leave it to
// the transport.

import type { TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js'
import { toError } from '../errors.js'
import { cancellation } from './json-rpc.js'

export interface SendOptions extends TransportSendOptions {
  /** As the AI SDK's client calls it. */
  signal?: AbortSignal | undefined
  /** As version 2 of the SDK calls it. */
  requestSignal?: AbortSignal | undefined
}

/** Sends a cancellation when the signal aborts; returns what ends the listening. Throws the signal's reason if it has aborted. */
export function cancelOnAbort(
  { id }: JSONRPCRequest,
  { signal, requestSignal = signal }: SendOptions = {},
  send: (message: JSONRPCMessage) => unknown
): () => void {
  requestSignal?.throwIfAborted()
  const onabort = (): unknown => send(cancellation(id, toError(requestSignal?.reason).message))
  requestSignal?.addEventListener('abort', onabort, { once: true })
  return () => requestSignal?.removeEventListener('abort', onabort)
}
