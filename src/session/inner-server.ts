import type { Result } from '@modelcontextprotocol/sdk/types.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JsonObject } from '../types.js'

/**
 * What answers the requests of a session that are about no task and no task tool: the SDK's server where `setup` gives it
 * more to do, and a small one of ours where there is nothing else.
 */
export interface InnerServer {
  /** Called with what went wrong and is nobody's answer. */
  onerror: ((error: Error) => void) | undefined
  /** As the answer to `initialize` tells them. */
  capabilities(): JsonObject
  /** Answers what comes on the transport, from now on. */
  connect(transport: Transport): Promise<void>
  /** Asks the client, however long that takes; rejects with its error, or when the connection ends. */
  request(method: string, params: JsonObject): Promise<Result>
  close(): Promise<void>
}
