// Requests as they are, over a connection of their own.

import type { JsonRpcResponse } from '@modelcontextprotocol/ext-tasks/client'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { WorkerTransport } from '../../src/link/worker-transport.js'

/** What ext-tasks calls `rawDispatch`, over a transport that has started and that nobody else listens to. */
export function rawDispatch(
  transport: WorkerTransport
): (request: unknown, options?: { signal?: AbortSignal }) => Promise<JsonRpcResponse> {
  const waiting = new Map<unknown, (response: JsonRpcResponse) => void>()
  transport.onmessage = (message) => {
    if ('method' in message) return
    const kind = 'result' in message ? 'result' : 'error'
    waiting.get(message.id)?.({ ...message, kind } as unknown as JsonRpcResponse)
    waiting.delete(message.id)
  }
  return (request, { signal } = {}) =>
    new Promise((resolve, reject) => {
      const id = crypto.randomUUID()
      waiting.set(id, resolve)
      signal?.addEventListener('abort', () => {
        const params = { requestId: id, reason: String(signal.reason) }
        if (waiting.delete(id)) {
          transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params }).catch(reject)
        }
        reject(signal.reason)
      })
      transport.send({ ...(request as object), jsonrpc: '2.0', id } as JSONRPCMessage).catch(reject)
    })
}
