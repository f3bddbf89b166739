// What a handler holds while it runs.

import type {
  CallToolResult,
  CreateMessageRequestParams,
  CreateMessageResult,
  CreateMessageResultWithTools,
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitResult,
  ListRootsResult
} from '@modelcontextprotocol/sdk/types.js'
import type { JsonObject, Progress } from '../types.js'

/** Options of a question. */
export interface AskOptions {
  /** Finds this question again when the handler runs again; needed in a tool that resumes and asks several things at once. */
  key?: string
  /** Ask the client to answer by a task of its own, kept for `ttl` milliseconds; only if it declared that. */
  task?: { ttl?: number }
  /** Milliseconds after delivery; then the call rejects with code -32001. Default: none, people take their time. */
  timeout?: number
}

/** The params of `elicitation/create` in form mode. */
export type FormParams = Omit<ElicitRequestFormParams, 'mode' | 'task'> & { mode?: 'form' }
/** The params of `elicitation/create` in URL mode. */
export type UrlParams = Omit<ElicitRequestURLParams, 'mode' | 'task' | 'elicitationId'> & { elicitationId?: string }
/** The params of `sampling/createMessage`. */
export type SamplingParams = Omit<CreateMessageRequestParams, 'task'>
/** With `tools` in the request the content may be an array of blocks, tool calls among them. */
export type SamplingResult<P extends SamplingParams> = P extends { tools: readonly unknown[] }
  ? CreateMessageResultWithTools
  : CreateMessageResult

/** https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks */
export interface TaskContext {
  /** The `taskId` of the task. */
  readonly id: string
  /** Aborts when the task is cancelled, expires, is deleted, or is run by another worker. */
  readonly signal: AbortSignal
  /** Which run this is, from 1; above 1 only in tools with `onInterrupt: 'resume'`. */
  readonly attempt: number
  /** `_meta` of the call, without what belongs to the protocol; empty when there was none. */
  readonly meta: JsonObject
  /** Sets the status message; resolves when it is stored, or when nobody needs it since the run is over. */
  status(message: string): Promise<void>
  /** Reports progress; never waits: the newest report wins, the last is stored before the result. */
  progress(progress: Progress): void
  /** Asks the user by a form: https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation */
  elicit(params: FormParams, options?: AskOptions): Promise<ElicitResult>
  /** Sends the user to a URL; `elicitationId` defaults to one that is the same in every run. Tell the client when the matter is settled there: `notify({ method: 'notifications/elicitation/complete', params: { elicitationId } })`. */
  elicitUrl(params: UrlParams, options?: AskOptions): Promise<ElicitResult>
  /** Asks the client's model: https://modelcontextprotocol.io/specification/2025-11-25/client/sampling */
  createMessage<P extends SamplingParams>(params: P, options?: AskOptions): Promise<SamplingResult<P>>
  /** Asks for the folders that the client opened to its servers: https://modelcontextprotocol.io/specification/2025-11-25/client/roots */
  listRoots(options?: Omit<AskOptions, 'task'>): Promise<ListRootsResult>
  /**
   * Calls a tool that a tab lends (see `lendTools`), in the visible tab that had the focus last; waits until some tab
   * lends it. Called once, also when the worker dies. When the tab closes while it runs: called again in another if the
   * tool is read-only or idempotent, else this rejects with code `may_have_run` in the error's `data`. `timeout` counts from when a tab got
   * the call, and the error names the tab.
   */
  callTab(name: string, args?: JsonObject, options?: Omit<AskOptions, 'task'>): Promise<CallToolResult>
  /** Sends a notification to whoever waits for the task; kept until the task is deleted. */
  notify(notification: { method: string; params?: JsonObject }): Promise<void>
  /** Runs `fn` once and keeps its value (plain JSON): a later run gets the value. At least once: a crash between the effect and its commit runs it again. */
  step<T>(name: string, fn: () => T | Promise<T>): Promise<T>
  /** Sleeps until a stored time: a later run sleeps on, not anew. */
  sleep(ms: number, options?: { key?: string }): Promise<void>
}
