import { IntabError } from '../errors.js'
import { sameJson } from '../plain-json.js'
import { limitReached, newTask } from '../record-changes.js'
import type { Limits, TaskDraft, TaskRecord, ToolCall } from '../types.js'
import { current, eraseAll, insertTask } from './task-row.js'
import type { Write } from './transactions.js'

/** Stores a new task, or finds the one that has its idempotency key. A task with that id fails it with a unique violation. */
export async function createTask(
  write: Write,
  draft: TaskDraft,
  limits: Limits
): Promise<{ task: TaskRecord; created: boolean }> {
  const { sql, now } = write
  // Whoever creates tasks of one owner does it one after the other: the counters and the order are theirs.
  const [counters] = await sql<{ unfinished: number; kept: number; seq: string }>(
    `INSERT INTO owners (owner, unfinished, kept, next_seq) VALUES ($1, 1, 1, 2)
     ON CONFLICT (owner) DO UPDATE
       SET unfinished = owners.unfinished + 1, kept = owners.kept + 1, next_seq = owners.next_seq + 1
     RETURNING unfinished, kept, next_seq - 1 AS seq`,
    [draft.owner]
  )
  if (counters === undefined) throw new Error(`The counters of ${draft.owner} could not be read`)
  const found = await sameKey(write, draft)
  if (found !== undefined) {
    await sql(
      'UPDATE owners SET unfinished = unfinished - 1, kept = kept - 1, next_seq = next_seq - 1 WHERE owner = $1',
      [draft.owner]
    )
    return { task: found, created: false }
  }
  await makeRoom(write, draft.owner, counters, limits)
  const { arguments: args, meta } = draft
  const task = newTask(draft, Number(counters.seq), now)
  await insertTask(write, task)
  const call: ToolCall = { arguments: args, ...(meta && { meta }) }
  await sql('INSERT INTO calls (task_id, call) VALUES ($1, $2)', [task.taskId, JSON.stringify(call)])
  write.changed(task.taskId, { task: { ...task } })
  return { task, created: true }
}

async function sameKey(write: Write, draft: TaskDraft): Promise<TaskRecord | undefined> {
  const { owner, idempotencyKey } = draft
  if (idempotencyKey === undefined) return undefined
  const [row] = await write.sql<{ task_id: string; call: ToolCall }>(
    'SELECT task_id, call FROM tasks JOIN calls USING (task_id) WHERE owner = $1 AND idempotency_key = $2',
    [owner, idempotencyKey]
  )
  const task = row && (await current(write, row.task_id))
  if (row !== undefined && task !== undefined) {
    if (task.tool === draft.tool && sameJson(row.call.arguments, draft.arguments)) return task
    throw new IntabError('key_conflict', `The idempotency key ${idempotencyKey} belongs to another call`)
  }
  const tombstones = await write.sql(
    'SELECT 1 FROM tombstones WHERE owner = $1 AND idempotency_key = $2 AND expires_at > $3',
    [owner, idempotencyKey, write.now]
  )
  if (row !== undefined || tombstones.length > 0) {
    throw new IntabError('may_have_run', 'This call has run before and its task is gone: call again with a new key')
  }
  return undefined
}

/** Throws before anything is deleted when there cannot be room. */
async function makeRoom(
  write: Write,
  owner: string,
  { unfinished, kept }: { unfinished: number; kept: number },
  limits: Limits
): Promise<void> {
  if (unfinished > limits.unfinished) {
    throw limitReached(`${limits.unfinished} tasks are unfinished already: wait for one to end`, limits.unfinished)
  }
  const surplus = kept - limits.kept
  if (surplus <= 0) return
  const most = Math.max(surplus, Math.min(10, Math.floor(limits.kept / 100)))
  const found = await write.sql<{ record: TaskRecord }>(
    `SELECT record FROM tasks WHERE owner = $1 AND spare IS NOT NULL ORDER BY spare, seq LIMIT $2
     FOR UPDATE SKIP LOCKED`,
    [owner, most]
  )
  // Fetched ones go several at once, so that few creations wait for the search; unfetched results stay as long as they can.
  const spare = found.map(({ record }) => record).filter((task, n) => n < surplus || task.fetchedAt !== undefined)
  if (spare.length < surplus) {
    throw limitReached(`${limits.kept} tasks are kept already and none has ended: wait for one to end`, limits.kept)
  }
  await eraseAll(write, spare, limits)
}
