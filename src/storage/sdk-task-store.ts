// The SDK's TaskStore, with its rules and its words, in IndexedDB.

import type { CreateTaskOptions, TaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/interfaces.js'
import type { Request, RequestId, Result, Task } from '@modelcontextprotocol/sdk/types.js'
import { IntabError } from '../errors.js'
import { copied } from './sdk-copy.js'
import { SdkDatabase, type StoreOptions } from './sdk-database.js'
import { listAll, listPage, type SdkTaskPage } from './sdk-list-tasks.js'
import { sdkStores, type SdkTaskRow, sessionKey } from './sdk-schema.js'
import { change, existing, expiry, find, isFinal, sweepSome } from './sdk-task-row.js'

/**
 * Tasks that outlive the page, worker or process. Construction neither throws nor opens anything; every call rejects
 * with an IntabError (`storage_refused`, `storage_busy`, `quota`, `closed`, `superseded`) when the storage fails, and
 * with the SDK's own texts when it is the task that forbids it. Calls take effect in the order in which they were made.
 */
export class IndexedDbTaskStore implements TaskStore {
  readonly #database: SdkDatabase

  constructor(options: StoreOptions = {}) {
    this.#database = new SdkDatabase(options)
  }

  /** `ttl` in ms after creation and again after the end; absent, null or 0: forever. `pollInterval` defaults to 1,000 ms. */
  async createTask(
    { ttl = null, pollInterval = 1_000 }: CreateTaskOptions,
    _requestId: RequestId,
    _request: Request,
    sessionId?: string
  ): Promise<Task> {
    const taskId = newId()
    return this.#database.write('create', async (write) => {
      await sweepSome(write)
      const { now } = write
      const createdAt = new Date(now).toISOString()
      const task: Task = { taskId, status: 'working', ttl, createdAt, lastUpdatedAt: createdAt, pollInterval }
      const row: Omit<SdkTaskRow, 'seq'> = { session: sessionKey(sessionId), task, ...expiry(ttl, now) }
      write.add('tasks', row as SdkTaskRow)
      return task
    })
  }

  /** Null when unknown, expired, or another session's. */
  async getTask(taskId: string, sessionId?: string): Promise<Task | null> {
    return this.#database.read(async (tx) => (await find(tx, taskId, sessionId))?.task ?? null)
  }

  /** Restarts the ttl. Rejects when the task has ended. */
  async storeTaskResult(
    taskId: string,
    status: 'completed' | 'failed',
    result: Result,
    sessionId?: string
  ): Promise<void> {
    const copy = copied(result, 'The result')
    await this.#database.write('store result', async (write) => {
      const row = await existing(write.tx, taskId, sessionId)
      if (isFinal(row.task)) {
        throw new Error(
          `Cannot store result for task ${taskId} in terminal status '${row.task.status}'. Task results can only be stored once.`
        )
      }
      change(write, row, { status }, true)
      write.put('results', { taskId, result: copy })
    })
  }

  /** Rejects when the task is unknown or has none. */
  async getTaskResult(taskId: string, sessionId?: string): Promise<Result> {
    return this.#database.read(async (tx) => {
      await existing(tx, taskId, sessionId)
      const row = await tx.objectStore('results').get(taskId)
      if (row === undefined) throw new Error(`Task ${taskId} has no result stored`)
      return row.result
    })
  }

  /** Without a message, keeps the old one; a final status restarts the ttl. Rejects when the task has ended. */
  async updateTaskStatus(
    taskId: string,
    status: Task['status'],
    statusMessage?: string,
    sessionId?: string
  ): Promise<void> {
    await this.#database.write('update', async (write) => {
      const row = await existing(write.tx, taskId, sessionId)
      if (isFinal(row.task)) {
        throw new Error(
          `Cannot update task ${taskId} from terminal status '${row.task.status}' to '${status}'. Terminal states (completed, failed, cancelled) cannot transition to other states.`
        )
      }
      const changes = statusMessage ? { status, statusMessage } : { status }
      change(write, row, changes, isFinal({ ...row.task, status }))
    })
  }

  /** Ten tasks in creation order, after a `nextCursor` or a task's id; rejects with `Invalid cursor: …`. */
  async listTasks(cursor?: string, sessionId?: string): Promise<SdkTaskPage> {
    return this.#database.read((tx) => listPage(tx, cursor, sessionId))
  }

  /** All tasks of all sessions; a promise here, unlike in the SDK's store. */
  async getAllTasks(): Promise<Task[]> {
    return this.#database.read(listAll)
  }

  /** Deletes all tasks, results and messages of this database; a promise here, unlike in the SDK's store. */
  async cleanup(): Promise<void> {
    await this.#database.write('cleanup', async (write) => {
      for (const store of sdkStores) write.clear(store)
    })
  }

  /** Closes the database and keeps its content; later calls reject with `closed`. */
  close(): void {
    this.#database.close()
  }
}

function newId(): string {
  if (typeof crypto?.randomUUID === 'function') return crypto.randomUUID()
  throw new IntabError(
    'insecure_context',
    'Task ids need a secure context: serve this page over https or from localhost'
  )
}
