// Passes messages between a client outside of the browser and the server in the page, and understands none of them.

import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { toError } from '../errors.js'
import type { RelatedInfo } from '../link/json-rpc.js'
import { failure, isRequest } from '../link/json-rpc.js'

/** Joins two transports, of which neither is started, and starts them; when one closes, so does the other. */
export async function relay(outside: Transport, page: Transport, onerror: (error: Error) => void): Promise<void> {
  const report = (thrown: unknown): void => onerror(toError(thrown))
  outside.onmessage = (message) => {
    page.send(message).catch((error: unknown) => {
      if (isRequest(message)) outside.send(failure(message.id, error)).catch(report)
      else report(error)
    })
  }
  page.onmessage = (message: JSONRPCMessage, extra?: RelatedInfo) => {
    const related = extra?.relatedRequestId
    const options: TransportSendOptions = related === undefined ? {} : { relatedRequestId: related }
    outside.send(message, options).catch(report)
  }
  outside.onerror = report
  page.onerror = report
  outside.onclose = () => void page.close().catch(report)
  page.onclose = () => void outside.close().catch(report)
  await page.start()
  await outside.start()
}
