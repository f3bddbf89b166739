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
  /** Identifies this question when the handler runs again; required in a tool that resumes and has several questions open at once. */
  key?: string
  /** Lets the client answer with a task of its own, kept for `ttl` milliseconds; only if it declared support. */
  task?: { ttl?: number }
  /** Milliseconds after delivery until the call rejects with code -32001. Default: no limit. */
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
  /** Sets the status message; resolves when it is stored, or when the run is over and it is not needed. */
  status(message: string): Promise<void>
  /** Reports progress and returns at once. The latest report wins; the last one is stored before the result. */
  progress(progress: Progress): void
  /** Asks the user with a form: https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation */
  elicit(params: FormParams, options?: AskOptions): Promise<ElicitResult>
  /** Asks the user to open a URL; the default `elicitationId` is the same in every run. When the user is done there, tell the client: `notify({ method: 'notifications/elicitation/complete', params: { elicitationId } })`. */
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
  /** Sends a notification to every client that waits for the task; kept until the task is deleted. */
  notify(notification: { method: string; params?: JsonObject }): Promise<void>
  /** Runs `fn` and stores its value (plain JSON); a later run gets the stored value. If the worker dies between the effect and its commit, a later run calls `fn` again. */
  step<T>(name: string, fn: () => T | Promise<T>): Promise<T>
  /** Sleeps until a stored time: a later run sleeps only for the rest. */
  sleep(ms: number, options?: { key?: string }): Promise<void>
}
