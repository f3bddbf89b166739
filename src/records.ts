// What is stored. Times are milliseconds since the epoch, durations are milliseconds, sizes are bytes.

export type Json = null | boolean | number | string | Json[] | JsonObject
export type JsonObject = { [key: string]: Json }

/** https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#task-status-lifecycle */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'
export type FinalStatus = 'completed' | 'failed' | 'cancelled'

/** What a client must have declared to be able to answer a request. */
export type Capability =
  | 'elicitation.form'
  | 'elicitation.url'
  | 'sampling'
  | 'sampling.tools'
  | 'tasks.elicitation'
  | 'tasks.sampling'
  | 'roots'
  /** Lends this tool: no client declares it, `intab/lend` tells. */
  | `tab:${string}`

export interface ErrorObject {
  code: number
  message: string
  data?: Json
}

/** What a request came to, in words that every revision of the protocol can say. */
export type Outcome = { result: JsonObject } | { error: ErrorObject }

/** https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/progress */
export interface Progress {
  /** Must increase with each report. */
  progress: number
  /** What `progress` reaches at the end, if known. */
  total?: number
  /** For the user. */
  message?: string
}

/** What a tool was called with; it may be large. */
export interface ToolCall {
  arguments: JsonObject
  /** `_meta` of the call, for the tool. */
  meta?: JsonObject
}

/** What is known of a task before it is stored. */
export interface TaskDraft extends ToolCall {
  taskId: string
  owner: string
  tool: string
  /** What the client that created the task declared. */
  capabilities: Capability[]
  session: string
  connection: string
  requestId: string | number
  progressToken?: string | number
  /** Retention after the end, and the longest run; null: for ever. */
  ttl: number | null
  pollInterval: number
  executor: string
  idempotencyKey?: string
  /** A call of a tool that tabs lend: any worker can run it. */
  lent?: true
}

/** A task as it is stored; times are milliseconds since 1970. */
export interface TaskRecord extends Omit<TaskDraft, keyof ToolCall> {
  /** Creation order within the owner, from 1. */
  seq: number
  /** https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#task-status */
  status: TaskStatus
  /** What the tool said last, or why the task failed. */
  statusMessage?: string
  /** When the task was created. */
  createdAt: number
  /** When status or message last changed. */
  lastUpdatedAt: number
  /** Absent when ttl is null. */
  expiresAt?: number
  /** Counts the changes of the task and of its messages, from 1. */
  revision: number
  /** Which run of the handler this is, from 1. */
  attempt: number
  /** When this run started; absent: at the creation. */
  startedAt?: number
  /** Runs that are over, the last 20 of them; absent: none, or stored before intab kept them. */
  runs?: RunRecord[]
  /** The attempt that last got further: it kept a step, asked or was answered, or came to a wait. */
  provenAttempt?: number
  /** The newest progress that was stored. */
  progress?: Progress
  /** Requests that are neither answered nor withdrawn; the task is `input_required` exactly while a question is among them. */
  openRequests: number
  /** Those of them that are calls of a tab's tool; absent: none. */
  openCalls?: number
  /** Messages ever enqueued; also the `n` of the newest. */
  messageCount: number
  /** How many of them a later run of the handler replaced; absent: none. */
  replaced?: number
  /** When tasks/result first answered with the outcome. */
  fetchedAt?: number
}

/** A run of a handler that is over. */
export interface RunRecord {
  attempt: number
  executor: string
  startedAt: number
  /** Of a run whose worker died: when it last wrote the task. */
  endedAt: number
  /** Its worker made way for a newer version, and did not die. */
  gaveUp?: true
}

/** Proof of who runs a task: a write with a fence that no longer holds changes nothing. */
export interface Fence {
  taskId: string
  executor: string
  attempt: number
}

export type RequestState = 'pending' | 'delivered' | 'answered' | 'withdrawn'

export interface NotificationRecord {
  kind: 'notification'
  taskId: string
  /** Order within the task, from 1. */
  n: number
  owner: string
  /** Its order in a run of a handler that resumes: the next run sends it again. */
  key?: string
  method: string
  params: JsonObject
  enqueuedAt: number
}

export interface RequestRecord extends Omit<NotificationRecord, 'kind'> {
  kind: 'request'
  /** The JSON-RPC id on the wire: `task:<taskId>:<uuid>`. */
  requestId: string
  /** Finds this question again when the handler runs again; unique within the task. */
  key: string
  needs: Capability[]
  /** How long it may stay unanswered once delivered; absent: for as long as the task lives. */
  timeout?: number
  lent?: true
  state: RequestState
  /** The connection whose page shows the question; only while `delivered`. */
  claimedBy?: string
  /** When it was last claimed. */
  deliveredAt?: number
  /** The client's own task that will answer it; only while `delivered`. */
  hosted?: string
  /** Only while it is open: why the newest answer did not fit. */
  refused?: Refusal
  /** The page that runs, or ran, a call of its tool; absent while `pending`. */
  tab?: string
  /** The page's tool must not run twice: the call fails when the page goes. Only while `delivered`. */
  once?: true
  answer?: Outcome
  /** When it was answered or withdrawn; absent in rows of before intab kept it. */
  closedAt?: number
  /** The connection that showed it when it was closed; absent: none. */
  closedIn?: string
}

/** An answer that did not fit its question, which is asked again. */
export interface Refusal {
  reason: string
  /** The result that was answered; absent when it is no JSON or too large to be kept. */
  answer?: JsonObject
  /** Answers to this question that were refused so far. */
  count: number
}

export type MessageRecord = RequestRecord | NotificationRecord

export interface RequestDraft {
  key: string
  method: string
  params: JsonObject
  needs: Capability[]
  timeout?: number
  /** A call of a tab's tool, not a question to a person. */
  lent?: true
}

/** A memoised value; a step that returned nothing has no `value`. */
export interface StepRecord {
  taskId: string
  key: string
  value?: Json
  /** When it was first kept; absent in rows of before intab kept it. */
  at?: number
}

/** How much is stored, of everybody, and which of an owner's tasks expire next. */
export interface Census {
  /** By store. */
  rows: Record<string, number>
  /** Bytes of the origin, where the browser tells. */
  usage?: number
  quota?: number
  next: TaskRecord[]
}

/** A task with all that is stored of it, but its outcome. */
export interface TaskRows {
  task: TaskRecord
  call: ToolCall
  /** In order of `n`, whatever became of them. */
  messages: MessageRecord[]
  /** In order of their keys. */
  steps: StepRecord[]
}
