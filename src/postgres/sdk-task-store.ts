// The SDK's TaskStore, with its rules and its words, in PostgreSQL.

import type { CreateTaskOptions, TaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/interfaces.js'
import type { Request, RequestId, Result, Task } from '@modelcontextprotocol/sdk/types.js'
import type { PoolClient } from 'pg'
import { plainJson } from '../plain-json.js'
import { type PostgresStoreOptions, SdkTables } from './sdk-tables.js'

/** Tasks in one page, as the SDK's own store has it. */
const pageSize = 10
/** Tasks that one creation sweeps away. */
const sweptAtOnce = 20

interface Row {
  seq: string
  task: Task
  result: Result | null
}

const isFinal = ({ status }: Pick<Task, 'status'>): boolean =>
  status === 'completed' || status === 'failed' || status === 'cancelled'

/** The SDK's rule: no ttl, and a ttl of 0, mean for ever. */
const expiry = (ttl: number | null): number | null => (ttl === null || ttl === 0 ? null : Date.now() + ttl)

/** Who gives no session sees all, and all see what nobody owns. */
const visible = `(expires_at IS NULL OR expires_at > $1) AND ($2::text IS NULL OR session IS NULL OR session = $2)`

/**
 * Tasks that every process of a server sees. Construction neither throws nor opens anything; every call rejects with an
 * IntabError `storage_busy` or `closed` when the database cannot be had, and with the SDK's own texts when it is the task
 * that forbids it. Calls of one object about one task take effect in the order in which they were made.
 */
export class PostgresTaskStore implements TaskStore {
  readonly #tables: SdkTables

  constructor(options: PostgresStoreOptions) {
    this.#tables = new SdkTables(options)
  }

  /** `ttl` in ms after creation and again after the end; absent, null or 0: for ever. `pollInterval` defaults to 1,000 ms. */
  async createTask(
    { ttl = null, pollInterval = 1_000 }: CreateTaskOptions,
    _requestId: RequestId,
    _request: Request,
    sessionId?: string
  ): Promise<Task> {
    const createdAt = new Date().toISOString()
    const taskId = crypto.randomUUID()
    const task: Task = { taskId, status: 'working', ttl, createdAt, lastUpdatedAt: createdAt, pollInterval }
    return this.#tables.write(async (client) => {
      const { rows } = await client.query<{ task_id: string }>(
        `DELETE FROM tasks WHERE seq IN (SELECT seq FROM tasks WHERE expires_at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
         RETURNING task_id`,
        [Date.now(), sweptAtOnce]
      )
      if (rows.length > 0) {
        await client.query('DELETE FROM messages WHERE task_id = ANY($1)', [rows.map((row) => row.task_id)])
      }
      await client.query('INSERT INTO tasks (task_id, session, expires_at, task) VALUES ($1, $2, $3, $4)', [
        taskId,
        sessionId ?? null,
        expiry(ttl),
        JSON.stringify(task)
      ])
      return task
    })
  }

  /** Null when unknown, expired, or another session's. */
  async getTask(taskId: string, sessionId?: string): Promise<Task | null> {
    return this.#tables.write(async (client) => (await find(client, taskId, sessionId))?.task ?? null, taskId)
  }

  /** Starts the ttl anew. Rejects when the task has ended. */
  async storeTaskResult(
    taskId: string,
    status: 'completed' | 'failed',
    result: Result,
    sessionId?: string
  ): Promise<void> {
    const kept = plainJson(result, 'result').value
    await this.#tables.write(async (client) => {
      const { task } = await existing(client, taskId, sessionId)
      if (isFinal(task)) {
        throw new Error(
          `Cannot store result for task ${taskId} in terminal status '${task.status}'. Task results can only be stored once.`
        )
      }
      await change(client, task, { status })
      await client.query('UPDATE tasks SET result = $2 WHERE task_id = $1', [taskId, JSON.stringify(kept)])
    }, taskId)
  }

  /** Rejects when the task is unknown or has none. */
  async getTaskResult(taskId: string, sessionId?: string): Promise<Result> {
    const { result } = await this.#tables.write((client) => existing(client, taskId, sessionId), taskId)
    if (result === null) throw new Error(`Task ${taskId} has no result stored`)
    return result
  }

  /** Keeps the old message when none is given; an end starts the ttl anew. Rejects when the task has ended. */
  async updateTaskStatus(
    taskId: string,
    status: Task['status'],
    statusMessage?: string,
    sessionId?: string
  ): Promise<void> {
    await this.#tables.write(async (client) => {
      const { task } = await existing(client, taskId, sessionId)
      if (isFinal(task)) {
        throw new Error(
          `Cannot update task ${taskId} from terminal status '${task.status}' to '${status}'. Terminal states (completed, failed, cancelled) cannot transition to other states.`
        )
      }
      await change(client, task, statusMessage ? { status, statusMessage } : { status })
    }, taskId)
  }

  /** Ten tasks in creation order, after a `nextCursor` or a task's id; rejects with `Invalid cursor: …`. */
  async listTasks(cursor?: string, sessionId?: string): Promise<{ tasks: Task[]; nextCursor?: string }> {
    return this.#tables.write(async (client) => {
      const { rows } = await client.query<Row>(
        `SELECT seq, task FROM tasks WHERE ${visible} AND seq > $3 ORDER BY seq LIMIT $4`,
        [Date.now(), sessionId ?? null, cursor ? await placeOf(client, cursor, sessionId) : '0', pageSize + 1]
      )
      const page = rows.slice(0, pageSize)
      const tasks = page.map(({ task }) => task)
      const last = page.at(-1)
      return rows.length > pageSize && last !== undefined ? { tasks, nextCursor: `after:${last.seq}` } : { tasks }
    })
  }

  /** All tasks of all sessions; a promise here, unlike in the SDK's store. */
  async getAllTasks(): Promise<Task[]> {
    const text = `SELECT task FROM tasks WHERE ${visible} ORDER BY seq`
    const { rows } = await this.#tables.write((client) => client.query<Row>(text, [Date.now(), null]))
    return rows.map(({ task }) => task)
  }

  /** Deletes all tasks, results and messages of the schema; a promise here, unlike in the SDK's store. */
  async cleanup(): Promise<void> {
    await this.#tables.write((client) => client.query('TRUNCATE tasks, messages'))
  }

  /** Lets go of the database, whose content stays; later calls reject with `closed`. */
  close(): Promise<void> {
    return this.#tables.close()
  }
}

/** Locks the row until the transaction ends. */
async function find(client: PoolClient, taskId: string, sessionId?: string): Promise<Row | undefined> {
  const { rows } = await client.query<Row>(
    `SELECT seq, task, result FROM tasks WHERE ${visible} AND task_id = $3 FOR UPDATE`,
    [Date.now(), sessionId ?? null, taskId]
  )
  return rows[0]
}

/** As `find`, but throws the SDK's text when there is none. */
async function existing(client: PoolClient, taskId: string, sessionId?: string): Promise<Row> {
  const row = await find(client, taskId, sessionId)
  if (row === undefined) throw new Error(`Task with ID ${taskId} not found`)
  return row
}

/** An end starts the ttl anew. */
async function change(client: PoolClient, task: Task, changes: Partial<Task>): Promise<void> {
  const changed = { ...task, ...changes, lastUpdatedAt: new Date().toISOString() }
  await client.query(
    'UPDATE tasks SET task = $2, expires_at = CASE WHEN $3 THEN $4::bigint ELSE expires_at END WHERE task_id = $1',
    [task.taskId, JSON.stringify(changed), isFinal(changed), expiry(task.ttl)]
  )
}

/** A cursor of ours outlives its task: a task that expires between two pages ends no listing. */
async function placeOf(client: PoolClient, cursor: string, sessionId?: string): Promise<string> {
  const seq = /^after:(\d{1,18})$/.exec(cursor)?.[1]
  if (seq !== undefined) return seq
  const row = await find(client, cursor, sessionId)
  if (row === undefined) throw new Error(`Invalid cursor: ${cursor}`)
  return row.seq
}
