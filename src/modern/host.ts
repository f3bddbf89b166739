// What the modern era asks of the connection on which its messages come, and of the worker behind it.

import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js'
import type {
  Capability,
  Json,
  JsonObject,
  MessageQueue,
  Outcome,
  Refusal,
  RequestRecord,
  TaskRecord,
  UpdateBus
} from '../types.js'
import type { Waiter } from '../tasks/waiters.js'

/** What the era needs of a task tool. */
export interface ToolFacts {
  isRequired: boolean
  /** Its first questions come with the answer to the call, before there is a task. */
  asksFirst: boolean
  /** For the model while the task runs. */
  immediateResponse: string | undefined
  /** Rejects with the SDK's text when the arguments do not fit the tool. */
  check(args: JsonObject): Promise<void>
  /** Stores a task, or finds the one of the call's key; `start` runs it, and `drop` cancels it, if it was created. */
  create(id: RequestId, task: NewTask): Promise<{ task: TaskRecord; start(): void; drop(): Promise<void> }>
}

/** What comes of an answer. */
export type Checked = { outcome: Outcome } | { refused: Omit<Refusal, 'count'> }

export interface NewTask {
  arguments: JsonObject
  meta: JsonObject
  can: readonly Capability[]
}

/** What the SDK's server says while it answers a request. */
export interface Forwarding {
  signal: AbortSignal
  /** A notification that belongs to the request. */
  onnotification(method: string, params: JsonObject): void
}

export interface ModernHost {
  /** `name`, `version` and the like, as `initialize` would tell them. */
  readonly serverInfo: JsonObject
  readonly instructions: string | undefined
  /** Versions that this port serves, this one first. */
  readonly versions: readonly string[]
  readonly owner: string
  readonly connection: string
  readonly messages: MessageQueue
  readonly bus: UpdateBus
  /** Aborts when the connection ends. */
  readonly signal: AbortSignal
  /** What the SDK's server can do. */
  capabilities(): JsonObject
  /** The task tool of a call with this `_meta`. */
  tool(name: string, meta: JsonObject, signal: AbortSignal): Promise<ToolFacts | undefined>
  /** The task, if it is there and the owner's. */
  task(taskId: string): Promise<TaskRecord | undefined>
  /** Those of the ids whose tasks are there and the owner's. */
  owned(taskIds: readonly string[]): Promise<string[]>
  /** What the task's tool was called with. */
  argumentsOf(taskId: string): Promise<JsonObject | undefined>
  /** Cancels a task; resolves when it has ended, however often that is tried. */
  cancel(taskId: string): Promise<void>
  /** Joins those who wait for a task, so that its next question can be theirs; returns the way to leave. */
  wait(taskId: string, waiter: Waiter): () => void
  /** The outcome to store for an answer, or why its question is asked again. */
  checkAnswer(request: RequestRecord, result: Json): Checked
  /** Notes a refused answer with its question, which stays open. */
  refuse(request: RequestRecord, why: Omit<Refusal, 'count'>): Promise<unknown>
  answered(request: RequestRecord): void
  /** Notes that somebody fetched the outcome. */
  fetched(taskId: string): void
  /** Asks the SDK's server as its client would; rejects with its error. */
  ask(method: string, params: JsonObject, forwarding: Forwarding): Promise<JsonObject>
  /** Sends to the client, on the stream of a request. */
  send(message: JSONRPCMessage, relatedRequestId: RequestId): Promise<void>
  /** Calls back with what the SDK's server tells on no request's stream; returns the way to stop. */
  onserver(listener: (method: string, params: JsonObject) => void): () => void
  /** Requests of intab's own, `intab/…`, which are the same in both eras. */
  own(method: string, params: JsonObject, can: readonly Capability[]): Promise<JsonObject> | undefined
  onerror(error: Error, during: string): void
}
