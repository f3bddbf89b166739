// How the records of tasks and questions change, whatever stores them.

import { IntabError, RPC } from './errors.js'
import { newRequestId, toolNameOf } from './ids.js'
import { sameJson } from './plain-json.js'
import type {
  FinalStatus,
  NotificationRecord,
  Outcome,
  Refusal,
  RequestDraft,
  RequestRecord,
  RunRecord,
  TaskDraft,
  TaskRecord
} from './records.js'
import type { Claimant, Limits, Looker } from './types.js'

/** How long an idempotency key outlives its task, in ms. */
export const keyRetention = 24 * 60 * 60 * 1_000

/** How many keys outlive their tasks, of one owner: the newest. */
export const keysKept = ({ kept }: Limits): number => 5 * kept

export const limitReached = (message: string, limit: number): IntabError =>
  new IntabError('limit_reached', message, { limit })

// A task

export interface End {
  status: FinalStatus
  outcome: Outcome
  statusMessage?: string
}

/** A task at its creation; what it was called with is stored apart. */
export function newTask({ arguments: _, meta: __, ...draft }: TaskDraft, seq: number, now: number): TaskRecord {
  const task: TaskRecord = {
    ...draft,
    seq,
    status: 'working',
    createdAt: now,
    lastUpdatedAt: now,
    revision: 1,
    attempt: 1,
    openRequests: 0,
    messageCount: 0
  }
  setExpiry(task, now)
  return task
}

/** More than these says nothing to anybody. */
const runsKept = 20

type Running = Pick<TaskRecord, 'attempt' | 'createdAt' | 'startedAt' | 'runs'> & { executor?: string }

/** Remembers the run that is over, if anybody ran the task. */
export function closeRun(task: Running, endedAt: number, gaveUp = false): void {
  const { executor, attempt, createdAt, startedAt = createdAt, runs = [] } = task
  if (!executor) return
  const run = { attempt, executor, startedAt, endedAt, ...(gaveUp && ({ gaveUp } as const)) }
  task.runs = [...runs, run].slice(-runsKept)
}

/** A run that is over, or the one that goes on. */
export type Run = Omit<RunRecord, 'endedAt'> & { endedAt?: number }

export function runsOf({ attempt, executor, createdAt, startedAt = createdAt, runs = [], status }: TaskRecord): Run[] {
  const isRun = executor !== '' && (status === 'working' || status === 'input_required')
  return isRun ? [...runs, { attempt, executor, startedAt }] : runs
}

type Sent = Pick<NotificationRecord, 'method' | 'params'>
type Expiring = Pick<TaskRecord, 'ttl' | 'expiresAt'>

export const isExpired = ({ expiresAt = Infinity }: Pick<Expiring, 'expiresAt'>, now: number): boolean =>
  expiresAt <= now

/** Retention counts from the creation, and anew from the end. */
export function setExpiry(task: Expiring, from: number): void {
  if (task.ttl === null) delete task.expiresAt
  else task.expiresAt = from + task.ttl
}

/** What becomes of a task that overran its ttl. */
export function expiry({ ttl }: Expiring): End {
  const statusMessage = `Expired: the task ran longer than its ttl of ${ttl} ms`
  const result = { isError: true, content: [{ type: 'text', text: statusMessage }] }
  return { status: 'failed', statusMessage, outcome: { result } }
}

/** The number of the task's next message; throws when it has sent all that it may. */
export function nextNumber(
  { messageCount, replaced = 0 }: Pick<TaskRecord, 'messageCount' | 'replaced'>,
  limits: Limits
): number {
  if (messageCount - replaced < limits.messages) return messageCount + 1
  throw limitReached(
    `This task has sent ${limits.messages} messages already: send fewer, or larger ones`,
    limits.messages
  )
}

/** Whether a run sends what the run before it sent at this place. */
export const sameNotification = (known: Sent, sent: Sent): boolean =>
  known.method === sent.method && sameJson(known.params, sent.params)

// A question

/** Whether the claimant's client declared all that the request needs. */
export const canAnswer = ({ can }: Claimant, { needs }: Pick<RequestRecord, 'needs'>): boolean =>
  needs.every((need) => can.includes(need))

/** Throws `diverged` unless the handler asks again, under the same key, what it asked before. */
export function sameQuestion(known: RequestRecord, { key, method, params }: RequestDraft): void {
  if (known.method === method && sameJson(known.params, params)) return
  throw new IntabError(
    'diverged',
    `The handler asks another question under the key "${key}" than in its first run: give each question its own key`,
    { key }
  )
}

/** A new question of the task, which says so from now on; shown by the looker if it can be the next to show one. */
export function newQuestion(
  task: Omit<TaskRecord, 'executor'>,
  draft: RequestDraft,
  limits: Limits,
  now: number,
  looker?: Looker
): RequestRecord {
  const { taskId, owner } = task
  const pending: RequestRecord = {
    kind: 'request',
    taskId,
    n: nextNumber(task, limits),
    owner,
    requestId: newRequestId(taskId),
    ...draft,
    state: 'pending',
    enqueuedAt: now
  }
  const isNext = looker?.owner === owner && looker.place === task.messageCount && canAnswer(looker, draft)
  count(task, draft, 1)
  task.provenAttempt = task.attempt
  return isNext ? claimed(pending, looker, now) : pending
}

/** The claimant's client shows it now. */
export const claimed = <Row extends RequestRecord>(
  row: Row,
  { connection, tab }: Pick<Claimant, 'connection' | 'tab'>,
  now: number
): Row => {
  const delivered: Row = {
    ...row,
    state: 'delivered',
    claimedBy: connection,
    deliveredAt: now,
    ...(tab && { tab: tab.name }),
    ...(tab?.once && { once: true })
  }
  delete delivered.hosted
  return delivered
}

/** Nobody shows it now, and anybody may. */
export function freed<Row extends RequestRecord>(row: Row): Row {
  const pending: Row = { ...row, state: 'pending' }
  delete pending.claimedBy
  delete pending.tab
  delete pending.once
  delete pending.hosted
  return pending
}

/** The time of a question that its holder answers again runs on from its first delivery. */
export function refused<Row extends RequestRecord>(
  row: Row,
  connection: string,
  why: Omit<Refusal, 'count'>,
  now: number
): Row {
  return { ...held(row, connection, now), refused: { ...why, count: (row.refused?.count ?? 0) + 1 } }
}

/** The client answers it by a task of its own. */
export const hosted = <Row extends RequestRecord>(row: Row, connection: string, taskId: string, now: number): Row => ({
  ...held(row, connection, now),
  hosted: taskId
})

const held = <Row extends RequestRecord>(row: Row, connection: string, now: number): Row =>
  row.claimedBy === connection ? row : claimed(row, { connection }, now)

/** It is open no more. */
export function shut<Row extends RequestRecord>(
  row: Row,
  state: 'answered' | 'withdrawn',
  closedAt: number,
  answer?: Outcome
): Row {
  const closedIn = row.claimedBy
  const request: Row = {
    ...row,
    state,
    closedAt,
    ...(closedIn !== undefined && { closedIn }),
    ...(answer && { answer })
  }
  delete request.claimedBy
  delete request.hosted
  delete request.refused
  delete request.once
  return request
}

/** After an answer. */
export function answeredOne(task: Omit<TaskRecord, 'executor'>, request: RequestRecord): void {
  count(task, request, -1)
  task.provenAttempt = task.attempt
}

/** Counts a request that opens or closes; a call of a tab's tool waits for no person. */
function count(task: Omit<TaskRecord, 'executor'>, { lent }: Pick<RequestRecord, 'lent'>, by: 1 | -1): void {
  task.openRequests += by
  if (lent) task.openCalls = (task.openCalls ?? 0) + by
  task.status = task.openRequests > (task.openCalls ?? 0) ? 'input_required' : 'working'
}

/** The outcome of a call whose page closed while it ran a tool that must not run twice. */
export function pageGone({ params, tab = '' }: RequestRecord): Outcome {
  const tool = toolNameOf(params)
  const message = `The page "${tab}" closed while it ran the tool ${tool}, which may have run. Check before you call it again`
  return { error: { code: RPC.mayHaveRun, message, data: { code: 'may_have_run', tool, tab } } }
}
