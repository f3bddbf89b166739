// What the tab's functions ask of a client. Structural, so that the Client of either SDK fits, whatever its version.

import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { Progress } from '../types.js'

/** A connected `Client`: of `@modelcontextprotocol/sdk` 1.x, or of `@modelcontextprotocol/client` 2.x in any mode. */
export interface ConnectedClient {
  /** Present while it is connected. */
  readonly transport?: object | undefined
  /** Told of what goes wrong beside the calls. */
  onerror?: ((error: Error) => void) | undefined
  /** Connects to a transport. */
  connect(...args: never[]): Promise<void>
  /** Ends the connection. */
  close(): Promise<void>
  /** Sends a request. */
  request(...args: never[]): Promise<unknown>
  /** Only version 2 of the SDK can speak MCP 2026-07-28, and tells whether it does. */
  getProtocolEra?(): string | undefined
}

export interface AskOptions {
  onprogress?: (progress: Progress) => void
  /** Cancels the request. */
  signal?: AbortSignal
  /** Milliseconds; the SDK's default is 60 s. */
  timeout?: number
}

type Answer = Record<string, unknown>

interface Requester {
  request(request: { method: string; params?: object }, schema: object, options?: AskOptions): Promise<unknown>
}

/** The longest that a timer can be told; the SDK's default of 60 s would end a person's thinking. */
export const asLongAsItTakes = 2 ** 31 - 1

/** Takes any result, as both SDKs ask a schema: the one its own way, the other by https://standardschema.dev */
const anything = {
  safeParse: (data: unknown) => ({ success: true, data }),
  '~standard': { validate: (value: unknown) => ({ value }) }
}

/** Rejects with the server's error, in the client's own class. */
export const ask = (client: ConnectedClient, method: string, params?: object, options?: AskOptions): Promise<Answer> =>
  (client as unknown as Requester).request({ method, ...(params && { params }) }, anything, options) as Promise<Answer>

/** Whether the connection speaks MCP 2026-07-28. */
export const isModern = (client: ConnectedClient): boolean => client.getProtocolEra?.() === 'modern'

/** A tool's result as it came; `content` may be missing. */
export const callResult = (result: Answer): CallToolResult => ({ content: [], ...result })
