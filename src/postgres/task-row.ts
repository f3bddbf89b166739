// What may happen to one task row inside a transaction, with all that belongs to it. A write locks the row first.

import { closeRun, type End, expiry, isExpired, keyRetention, keysKept, setExpiry } from '../record-changes.js'
import type { Fence, Left, Limits, RequestRecord, TaskRecord } from '../types.js'
import { withdrawAll } from './request-row.js'
import type { Write } from './transactions.js'

/** A task whose executor is '' and whose status is final is run by nobody; one that is unfinished may be. */
export const isFinal = ({ status }: Pick<TaskRecord, 'status'>): boolean =>
  status === 'completed' || status === 'failed' || status === 'cancelled'

/** The row, locked until the write ends. */
export async function lockTask({ sql }: Write, taskId: string): Promise<TaskRecord | undefined> {
  const [row] = await sql<{ record: TaskRecord }>('SELECT record FROM tasks WHERE task_id = $1 FOR UPDATE', [taskId])
  return row?.record
}

/** The task as it is by now: undefined when unknown or past its retention; one that overran its ttl is failed first. */
export async function current(write: Write, taskId: string): Promise<TaskRecord | undefined> {
  const task = await lockTask(write, taskId)
  if (task === undefined || !isExpired(task, write.now)) return task
  return isFinal(task) ? undefined : expire(write, task)
}

/** The unfinished task that the fence's executor runs in this attempt, if it still does. */
export async function fenced(write: Write, fence: Fence): Promise<TaskRecord | undefined> {
  const task = await current(write, fence.taskId)
  const holds = task?.executor === fence.executor && task.attempt === fence.attempt
  return holds && !isFinal(task) ? task : undefined
}

const columns = (task: TaskRecord): unknown[] => [
  task.taskId,
  isFinal(task) ? null : task.executor,
  task.expiresAt ?? null,
  isFinal(task) ? (task.fetchedAt === undefined ? 1 : 0) : null,
  JSON.stringify(task)
]

export async function insertTask({ sql }: Write, task: TaskRecord): Promise<void> {
  const { owner, seq, idempotencyKey = null } = task
  await sql(
    `INSERT INTO tasks (task_id, executor, expires_at, spare, record, owner, seq, idempotency_key)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [...columns(task), owner, seq, idempotencyKey]
  )
}

/** Writes the row and tells nobody. */
export async function putTask({ sql }: Write, task: TaskRecord): Promise<void> {
  await sql(
    'UPDATE tasks SET executor = $2, expires_at = $3, spare = $4, record = $5 WHERE task_id = $1',
    columns(task)
  )
}

/** Every change of a task that somebody could see goes through here; `beside` is what else the write changed. */
export async function save(write: Write, task: TaskRecord, beside: Omit<Left, 'task'> = {}): Promise<TaskRecord> {
  task.revision += 1
  task.lastUpdatedAt = write.now
  await putTask(write, task)
  write.changed(task.taskId, { task: { ...task }, ...beside })
  return task
}

/** A change of requests of a task: whoever watches it sees another revision. */
export async function saveRequests(write: Write, task: TaskRecord, requests: readonly RequestRecord[]): Promise<void> {
  const [request, ...others] = requests
  await save(write, task, request && { request })
  if (others.length > 0) write.changed(task.taskId)
}

export async function end(
  write: Write,
  task: TaskRecord,
  { status, outcome, statusMessage }: End
): Promise<TaskRecord> {
  if (task.openRequests > 0) await withdrawAll(write, task)
  await write.sql('INSERT INTO outcomes (task_id, outcome) VALUES ($1, $2)', [task.taskId, JSON.stringify(outcome)])
  task.status = status
  if (statusMessage !== undefined) task.statusMessage = statusMessage
  task.openRequests = 0
  delete task.openCalls
  closeRun(task, write.now)
  task.executor = ''
  setExpiry(task, write.now)
  await save(write, task, { outcome })
  // Last, since whoever creates a task of this owner waits for it.
  await count(write, task.owner, { unfinished: -1 })
  return task
}

export async function expire(write: Write, task: TaskRecord): Promise<TaskRecord> {
  const failed = await end(write, task, expiry(task))
  write.emit({ type: 'expired', task: { ...failed } })
  return failed
}

/** Deletes tasks with all their rows, and counts them; their idempotency keys are remembered for a day, the newest of each owner. */
export async function eraseAll(write: Write, tasks: readonly TaskRecord[], limits: Limits): Promise<void> {
  if (tasks.length === 0) return
  const keyed = tasks.filter(({ idempotencyKey }) => idempotencyKey !== undefined)
  await write.sql('DELETE FROM tasks WHERE task_id = ANY($1)', [tasks.map(({ taskId }) => taskId)])
  await write.sql(
    `INSERT INTO tombstones (owner, idempotency_key, expires_at)
     SELECT owner, key, $3 FROM unnest($1::text[], $2::text[]) AS gone (owner, key)
     ON CONFLICT (owner, idempotency_key) DO UPDATE SET expires_at = excluded.expires_at`,
    [keyed.map(({ owner }) => owner), keyed.map(({ idempotencyKey }) => idempotencyKey), write.now + keyRetention]
  )
  for (const owner of [...new Set(tasks.map((task) => task.owner))].sort()) {
    const own = tasks.filter((task) => task.owner === owner)
    await count(write, owner, { kept: -own.length, unfinished: -own.filter((task) => !isFinal(task)).length })
    if (own.some((task) => keyed.includes(task))) await boundKeys(write, owner, limits)
  }
  for (const task of tasks) {
    write.changed(task.taskId, { task, removed: true })
    write.emit({ type: 'removed', task })
  }
}

/** Whoever does this has counted tasks of the owner: of several at once, one after the other. */
async function boundKeys({ sql }: Write, owner: string, limits: Limits): Promise<void> {
  await sql(
    `DELETE FROM tombstones WHERE (owner, idempotency_key) IN
       (SELECT owner, idempotency_key FROM tombstones WHERE owner = $1 ORDER BY expires_at DESC OFFSET $2)`,
    [owner, keysKept(limits)]
  )
}

async function count(
  { sql }: Write,
  owner: string,
  { unfinished = 0, kept = 0 }: { unfinished?: number; kept?: number }
): Promise<void> {
  await sql('UPDATE owners SET unfinished = unfinished + $2, kept = kept + $3 WHERE owner = $1', [
    owner,
    unfinished,
    kept
  ])
}

/** The run got further: its death is no sign that the task kills its process. Nobody else would see a difference. */
export async function prove(write: Write, task: TaskRecord): Promise<void> {
  if (task.provenAttempt === task.attempt) return
  task.provenAttempt = task.attempt
  await putTask(write, task)
}
