// Passes messages between a client outside of the browser and the server in the page, and understands of them only
// which is answered.

import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js'
import { IntabError, toError } from '../errors.js'
import type { RelatedInfo } from '../link/json-rpc.js'
import { failure, isRequest, isResponse } from '../link/json-rpc.js'

export interface Relay {
  /** Resolves when every request that came in is answered. */
  answered(): Promise<void>
  /** Answers the requests that are open with the error, then closes both sides. */
  end(reason: Error): Promise<void>
}

/** Joins two transports, of which neither is started, and starts them; when one closes, so does the other. */
export async function relay(outside: Transport, page: Transport, onerror: (error: Error) => void): Promise<Relay> {
  const open = new Set<RequestId>()
  const waiting = new Set<() => void>()
  let ending: Promise<void> | undefined
  const report = (thrown: unknown): void => onerror(toError(thrown))

  const settle = (id: RequestId): void => {
    open.delete(id)
    if (open.size > 0) return
    for (const resolve of waiting) resolve()
    waiting.clear()
  }
  const fail = (id: RequestId, error: unknown): Promise<void> => {
    settle(id)
    return outside.send(failure(id, error)).catch(report)
  }
  const end = (reason: Error): Promise<void> =>
    (ending ??= (async () => {
      await Promise.all([...open].map((id) => fail(id, reason)))
      await Promise.all([outside.close(), page.close()])
    })())

  outside.onmessage = (message) => {
    if (isRequest(message)) open.add(message.id)
    const cancelled = cancelledBy(message)
    if (cancelled !== undefined) settle(cancelled)
    page.send(message).catch((error: unknown) => {
      if (!isRequest(message)) report(error)
      else if (open.has(message.id)) fail(message.id, error).catch(report)
    })
  }
  page.onmessage = (message: JSONRPCMessage, extra?: RelatedInfo) => {
    const related = extra?.relatedRequestId
    const options: TransportSendOptions = related === undefined ? {} : { relatedRequestId: related }
    const sent = outside.send(message, options)
    if (!isResponse(message) || message.id === undefined) return void sent.catch(report)
    const { id } = message
    // Whoever waits for an answer that cannot be sent gets an error instead of silence.
    sent.then(
      () => settle(id),
      (error: unknown) => fail(id, error)
    )
  }
  outside.onerror = report
  page.onerror = report
  outside.onclose = () => void end(new IntabError('closed', 'The client is gone')).catch(report)
  page.onclose = () => void end(new IntabError('closed', 'The page was closed, and its server with it')).catch(report)
  await page.start()
  await outside.start()
  return {
    answered: () => (open.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.add(resolve))),
    end
  }
}

/** The request that a message of the client cancels; nobody waits for its answer any more. */
export function cancelledBy(message: JSONRPCMessage): RequestId | undefined {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return undefined
  return (message.params as { requestId?: RequestId } | undefined)?.requestId
}
