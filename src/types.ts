// The interfaces by which the engine meets the browser; the records they speak of are in records.ts.

import type {
  Capability,
  FinalStatus,
  Json,
  JsonObject,
  MessageRecord,
  Outcome,
  Progress,
  Refusal,
  RequestDraft,
  RequestRecord,
  StepRecord,
  Fence,
  TaskDraft,
  TaskRecord,
  TaskRows,
  TaskStatus,
  ToolCall
} from './records.js'

export type * from './records.js'

/** A connection that could show a question. */
export interface Claimant {
  connection: string
  can: readonly Capability[]
  /** Set when its page is to run a tool: the page's name, and whether the tool must not run twice. */
  tab?: { name: string; once: boolean }
}

/** Who looks at a task, and what was read of it: messages up to `place`. */
export interface Looker extends Claimant {
  owner: string
  place: number
}

/** One consistent look at a task, with the messages that were claimed for the one who looks. */
export interface Snapshot {
  task: TaskRecord
  /** Present when the task is final. */
  outcome?: Outcome
  /** In order of `n`; requests among them are now claimed by the one who looked. */
  messages: MessageRecord[]
  /** More was there than one transaction hands out: look again before waiting. */
  more: boolean
}

/** A task as a write of this worker left it, for those in this worker whom that write wakes: they need not read it. */
export interface Left {
  /** Of a task that was removed, the last that was known. */
  task: TaskRecord
  /** The write deleted the task. */
  removed?: true
  /** Present when the write ended the task. */
  outcome?: Outcome
  /** The request that the write asked, claimed or answered; it changed no other. */
  request?: RequestRecord
  /** The request is new: the connection that it is claimed for must be sent it. */
  asked?: true
}

export interface ListQuery {
  order: 'oldest' | 'newest'
  status?: readonly TaskStatus[]
  /** Exclusive: the `seq` where the page before ended. */
  after?: number
  limit: number
}

export interface TaskPage {
  tasks: TaskRecord[]
  /** The `after` of the next page; absent on the last. */
  next?: number
}

/** Rows of tasks, their calls and their outcomes. Every method rejects with `storage_busy` after the deadline, `quota` when full. */
export interface TaskStore {
  /**
   * Stores the draft as `working`, or finds the row that has its idempotency key (`created: false`); rejects with
   * `limit_reached`, `key_conflict` or `may_have_run`. A `fresh` key is one that was most likely never used: it is looked
   * for only when another task turns out to have it; one whose task is gone is refused all the same.
   */
  create(draft: TaskDraft, fresh?: boolean): Promise<{ task: TaskRecord; call: ToolCall; created: boolean }>
  /** Undefined when unknown or past its retention; a task that overran its ttl is failed first. */
  get(taskId: string): Promise<TaskRecord | undefined>
  /** Those of the ids whose tasks are there and the owner's, by one read. */
  owned(owner: string, taskIds: readonly string[]): Promise<string[]>
  /** The task that a call with this idempotency key made. */
  keyed(owner: string, idempotencyKey: string): Promise<TaskRecord | undefined>
  list(owner: string, query: ListQuery): Promise<TaskPage>
  /** What the tool was called with, as it was stored; undefined when the task is gone. */
  call(taskId: string): Promise<ToolCall | undefined>
  /** The task with its messages and steps, as they were at one moment; undefined when it is gone. */
  rows(taskId: string): Promise<TaskRows | undefined>
  /** Writes what a handler reports; undefined, and nothing written, when the fence or a final status forbids it. */
  report(fence: Fence, change: { statusMessage?: string; progress?: Progress }): Promise<TaskRecord | undefined>
  /** Ends a task, withdraws its open requests and keeps the outcome; undefined when it was final already or the fence no longer holds. */
  finish(
    task: Fence | { taskId: string },
    end: { status: FinalStatus; outcome: Outcome; statusMessage?: string }
  ): Promise<TaskRecord | undefined>
  /** Remembers that somebody fetched the outcomes of these tasks; changes no revision. */
  markFetched(taskIds: readonly string[]): Promise<void>
  /** Deletes one task, or all of the owner, with all that belongs to it; the ids that went. A running handler learns it through the bus. */
  remove(owner: string, taskId?: string): Promise<string[]>
}

/** Rows of questions and notifications, and who shows which. */
export interface MessageQueue {
  /**
   * Stores a question, or finds the one with its key; undefined when fenced off; rejects with `diverged` when another
   * question has that key, `limit_reached` when there are too many. A new one is claimed for the looker at once if that
   * one can answer and has read all that came before: whoever hears of the write must show it or give it back.
   */
  ask(fence: Fence, draft: RequestDraft, looker?: Looker): Promise<RequestRecord | undefined>
  /** False when fenced off. What an earlier run sent under the key is kept as it is, or replaced where it differs. */
  notify(fence: Fence, method: string, params: JsonObject, key?: string): Promise<boolean>
  /**
   * Looks at a task and claims what the claimant can take; notifications after `place` only. Writes only if there is a
   * request to claim, and reads nothing when `left`, with which the claimant was just woken, tells all. Undefined when
   * unknown, foreign or past its retention.
   */
  claim(taskId: string, owner: string, claimant: Claimant, place: number, left?: Left): Promise<Snapshot | undefined>
  /** Moves one open request to the claimant; with `onlyPending`, never from another holder. Undefined when it is not open, foreign or beyond the claimant. */
  take(requestId: string, owner: string, claimant: Claimant, onlyPending?: boolean): Promise<RequestRecord | undefined>
  /**
   * Writes the answer of an open request, or what a function (which may be called twice) makes of the request; what
   * cannot be kept of that becomes the error that says why, since whoever answered has no other. False, and nothing
   * written, when it is open no longer, or foreign, or the function returned nothing.
   */
  answer(
    requestId: string,
    owner: string,
    answer: Outcome | ((request: RequestRecord) => Outcome | undefined)
  ): Promise<boolean>
  /**
   * Notes that an answer of the connection does not fit. The question stays open, on the screen of that connection.
   * Undefined, and nothing written, when it is open no longer, or foreign.
   */
  refuse(
    requestId: string,
    owner: string,
    connection: string,
    refusal: Omit<Refusal, 'count'>
  ): Promise<RequestRecord | undefined>
  /** Notes that the client of the connection answers by a task of its own; undefined as above. */
  host(requestId: string, owner: string, connection: string, taskId: string): Promise<RequestRecord | undefined>
  /**
   * Returns a connection's claims to `pending`, except those it still holds or answers by a task, or only those named.
   * Without either it is gone: a call that must not run twice is then answered with an error, since its page may have.
   */
  giveBack(connection: string, which?: { except: readonly string[] } | { only: readonly string[] }): Promise<void>
  /**
   * Requests that are pending or delivered, of one owner or some, one task, or everybody: in the order in which they were
   * asked, and those of one millisecond by owner, task and `n`.
   */
  open(of: { owner?: string | readonly string[]; taskId?: string }): Promise<RequestRecord[]>
  request(taskId: string, requestId: string): Promise<RequestRecord | undefined>
}

/** Values of steps, so that a handler that runs again repeats none. */
export interface StepJournal {
  find(taskId: string, key: string): Promise<StepRecord | undefined>
  /** False when fenced off. `at` is when it was first kept, if that was before. */
  record(fence: Fence, key: string, value: Json | undefined, at?: number): Promise<boolean>
}

/** Who runs what, and who shows what: what must be taken from the dead. */
export interface Roster {
  /** Names on unfinished tasks; '' stands for nobody. */
  executors(): Promise<string[]>
  /** Connections that hold claims. */
  claimants(): Promise<string[]>
  unfinished(executor: string): Promise<TaskRecord[]>
  /** Gives an unfinished task to another executor, with `attempt + 1`; undefined when somebody else was first. */
  adopt(fence: Fence, executor: string): Promise<{ task: TaskRecord; call: ToolCall } | undefined>
  /** Gives up all unfinished tasks of an executor: nobody runs them now. */
  abandon(executor: string): Promise<void>
}

/** Deletes what is past its retention and fails what overran its ttl. */
export interface Retention {
  /** Resolves with the next time at which something expires. */
  sweep(): Promise<number | undefined>
}

/** Wakes whoever waits, in this worker and in all others; a name for the others, never data. */
export interface UpdateBus {
  /** `left` reaches this worker only. */
  publish(taskId: string, left?: Left): void
  /**
   * Subscribes when called, starts with one tick, merges ticks that come while nobody asks, ends with the signal. A tick
   * is undefined when only the store tells what changed: one of another worker, several in one. The first tells what the
   * last write left, if that was this worker's and did not end the task.
   */
  watch(taskId: string, signal: AbortSignal): AsyncIterableIterator<Left | undefined>
  /** Every published id, of any worker; `owner` is that of a task that another worker removed. Returns the way to stop. */
  listen(listener: (taskId: string, left: Left | undefined, owner?: string) => void): () => void
  /** Ticks every watch of this worker: somebody may have died before it published. */
  wakeAll(): void
  /** Tells other workers of this one, and is told of those that greet. */
  greet(worker: string, onhello: (worker: string) => void): void
  close(): void
}

/** Web Locks, the only sure sign of life and death: https://developer.mozilla.org/docs/Web/API/Web_Locks_API */
export interface Locks {
  /** Resolves with the way to let go once this holder has it; rejects when the signal aborts first. */
  hold(name: string, signal?: AbortSignal): Promise<() => void>
  /** Resolves when nobody holds it exclusively; asks for `shared` and lets go at once. Rejects when the signal aborts first. */
  free(name: string, signal?: AbortSignal): Promise<void>
  /** Names now held that start with the prefix. */
  held(prefix: string): Promise<string[]>
}

/** Called at every commit and send that the product makes; a test may stop there. */
export type Checkpoint = (point: string) => void | Promise<void>

/** Limits of a server; docs/limits.md says what happens beyond each. */
export interface Limits {
  /** Unfinished tasks per owner (100). */
  unfinished: number
  /** Kept tasks per owner, finished or not (1,000); the oldest final ones go first, fetched ones before others. */
  kept: number
  /** Messages per task (1,000). */
  messages: number
  /** One message, result or step, as JSON (8 MiB). */
  bytes: number
  /** Tasks in one page of tasks/list (50). */
  page: number
  /** Requests about tasks per second and connection (5,000). */
  operations: number
}

/**
 * One step in the life of a task or connection, for logs, audits and tests. `unknown_tool`: a task that no living worker runs,
 * of a tool that this worker lacks; it is left alone. `lost`: the browser closed the database, or it was deleted; it is read
 * again at once.
 */
export type IntabEvent =
  | { type: 'created' | 'finished' | 'expired' | 'recovered' | 'removed'; task: TaskRecord }
  | { type: 'claimed' | 'delivered' | 'answered'; taskId: string; requestId: string; connection: string }
  | { type: 'opened' | 'closed'; session: string; connection: string }
  | { type: 'unknown_tool'; task: TaskRecord }
  | { type: 'superseded' | 'blocked' | 'lost'; reason: string }
  | { type: 'error'; error: Error; while: string }
