import { IntabError } from '../errors.js'
import { plainJson } from '../plain-json.js'
import type { Limits, ListQuery, Outcome, TaskRecord, TaskStore, ToolCall, TaskRows } from '../types.js'
import { createTask } from './create-task.js'
import { sweepSome } from './retention.js'
import { type End, isExpired } from '../record-changes.js'
import { current, end, eraseAll, fenced, isFinal, putTask, save } from './task-row.js'
import { isTaken, type Transactions } from './transactions.js'

/** Rows that one statement reads or deletes at most. */
const pageSize = 100

export function openTaskStore(transactions: Transactions, limits: Limits): TaskStore {
  const { read } = transactions
  const clean = <T>(value: T, root: string): T => plainJson(value, root, limits.bytes).value as T

  return {
    async create(draft) {
      const kept = { ...draft, arguments: clean(draft.arguments, 'arguments') }
      if (draft.meta !== undefined) kept.meta = clean(draft.meta, '_meta')
      const store = (): ReturnType<typeof createTask> =>
        transactions
          .write('create', (write) => createTask(write, kept, limits))
          .catch(async (error: unknown) => {
            const isFull = error instanceof IntabError && error.code === 'limit_reached'
            // What is past its time holds no place.
            if (isFull && (await sweepSome(transactions, limits))) return store()
            if (isTaken(error)) throw new IntabError('key_conflict', `Task ${draft.taskId} exists already`)
            throw error
          })
      const { task, created } = await store()
      const call = { arguments: kept.arguments, ...(kept.meta && { meta: kept.meta }) }
      return { task, call, created }
    },

    async get(taskId) {
      const [row] = await read<{ record: TaskRecord }>('SELECT record FROM tasks WHERE task_id = $1', [taskId])
      if (row === undefined || !isExpired(row.record, Date.now())) return row?.record
      if (isFinal(row.record)) return undefined
      return transactions.write('expire', (write) => current(write, taskId))
    },

    async owned(owner, taskIds) {
      const rows = await read<{ task_id: string }>(
        `SELECT task_id FROM tasks
         WHERE task_id = ANY($1) AND owner = $2 AND (spare IS NULL OR expires_at IS NULL OR expires_at > $3)`,
        [taskIds, owner, Date.now()]
      )
      const there = new Set(rows.map((row) => row.task_id))
      return taskIds.filter((taskId) => there.has(taskId))
    },

    async keyed(owner, idempotencyKey) {
      const [row] = await read<{ record: TaskRecord }>(
        'SELECT record FROM tasks WHERE owner = $1 AND idempotency_key = $2',
        [owner, idempotencyKey]
      )
      return row?.record
    },

    async list(owner, query) {
      for (;;) {
        const rows = await page(transactions, owner, query)
        const overran = rows.filter((task) => !isFinal(task) && isExpired(task, Date.now()))
        if (overran.length === 0) {
          const tasks = rows.slice(0, query.limit)
          const last = rows.length > query.limit ? tasks.at(-1) : undefined
          return { tasks, ...(last !== undefined && { next: last.seq }) }
        }
        await transactions.write('expire', async (write) => {
          for (const { taskId } of overran) await current(write, taskId)
        })
      }
    },

    async call(taskId) {
      const [row] = await read<{ call: ToolCall }>('SELECT call FROM calls WHERE task_id = $1', [taskId])
      return row?.call
    },

    async rows(taskId) {
      const [row] = await read<TaskRows>(
        `SELECT record AS task, call,
           (SELECT coalesce(json_agg(record ORDER BY n), '[]') FROM messages WHERE task_id = $1) AS messages,
           (SELECT coalesce(json_agg(step ORDER BY key COLLATE "C"), '[]') FROM steps WHERE task_id = $1) AS steps
         FROM tasks JOIN calls USING (task_id) WHERE task_id = $1`,
        [taskId]
      )
      return row
    },

    async report(fence, { statusMessage, progress }) {
      const kept = progress && clean(progress, 'progress')
      return transactions.write('report', async (write) => {
        const task = await fenced(write, fence)
        if (task === undefined) return undefined
        if (statusMessage !== undefined) task.statusMessage = statusMessage
        // A run that begins again is behind the one before it: what a person sees must not go back.
        if (kept !== undefined && kept.progress >= (task.progress?.progress ?? -Infinity)) task.progress = kept
        return save(write, task)
      })
    },

    async finish(task, { status, outcome, statusMessage }) {
      const kept: Outcome = clean(outcome, '')
      const ending: End = { status, outcome: kept, ...(statusMessage === undefined ? {} : { statusMessage }) }
      return transactions.write('finish', async (write) => {
        const found = await ('executor' in task ? fenced(write, task) : current(write, task.taskId))
        return found === undefined || isFinal(found) ? undefined : end(write, found, ending)
      })
    },

    async markFetched(taskIds) {
      await transactions.write('fetched', async (write) => {
        const rows = await write.sql<{ record: TaskRecord }>(
          'SELECT record FROM tasks WHERE task_id = ANY($1) ORDER BY task_id FOR UPDATE',
          [taskIds]
        )
        for (const { record } of rows) {
          if (isFinal(record) && record.fetchedAt === undefined)
            await putTask(write, { ...record, fetchedAt: write.now })
        }
      })
    },

    async remove(owner, taskId) {
      if (taskId === undefined) return removeAll(transactions, owner, limits)
      return transactions.write('remove', async (write) => {
        const rows = await write.sql<{ record: TaskRecord }>(
          'SELECT record FROM tasks WHERE task_id = $1 AND owner = $2 FOR UPDATE',
          [taskId, owner]
        )
        await eraseAll(
          write,
          rows.map(({ record }) => record),
          limits
        )
        return rows.map(() => taskId)
      })
    }
  }
}

/** One row more than the page, if there is one; those that overran their ttl are among them whatever their status. */
async function page(
  { read }: Transactions,
  owner: string,
  { order, status, after, limit }: ListQuery
): Promise<TaskRecord[]> {
  const [beyond, direction] = order === 'oldest' ? ['>', 'ASC'] : ['<', 'DESC']
  const rows = await read<{ record: TaskRecord }>(
    `SELECT record FROM tasks
     WHERE owner = $1 AND ($2::bigint IS NULL OR seq ${beyond} $2)
       AND CASE WHEN expires_at <= $3 THEN spare IS NULL
           ELSE $4::text[] IS NULL OR record->>'status' = ANY($4) END
     ORDER BY seq ${direction} LIMIT $5`,
    [owner, after ?? null, Date.now(), status ?? null, limit + 1]
  )
  return rows.map(({ record }) => record)
}

/** Page by page, so that one owner's many tasks hold up nobody; the owner's counters and keys go with the last. */
async function removeAll(transactions: Transactions, owner: string, limits: Limits): Promise<string[]> {
  const gone: string[] = []
  for (;;) {
    const removed = await transactions.write('remove', async (write) => {
      const rows = await write.sql<{ record: TaskRecord }>(
        'SELECT record FROM tasks WHERE owner = $1 ORDER BY task_id LIMIT $2 FOR UPDATE',
        [owner, pageSize]
      )
      await eraseAll(
        write,
        rows.map(({ record }) => record),
        limits
      )
      // Whoever creates a task meanwhile has counted it already, and waits for none of these locks.
      if (rows.length < pageSize) {
        await write.sql('DELETE FROM tombstones WHERE owner = $1', [owner])
        await write.sql('DELETE FROM owners WHERE owner = $1 AND kept = 0', [owner])
      }
      return rows.map(({ record }) => record.taskId)
    })
    gone.push(...removed)
    if (removed.length < pageSize) return gone
  }
}
