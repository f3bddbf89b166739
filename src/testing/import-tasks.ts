// Tasks from a file, in the page's database: a bug that somebody exported is a test.

import { readFile } from 'node:fs/promises'
import type { JSHandle, Page } from 'playwright-core'
import { IntabError, toError } from '../errors.js'
import { everybody } from '../ids.js'
import { version } from '../storage/schema.js'
import { aheadOf } from './advance-clock.js'
import { databaseOf, type StorageOptions } from './storage-faults.js'
import { storedRows, type TaskInStores } from './stored-rows.js'
import { checkTaskFile } from './task-file.js'

/** Options of `importTasks`. */
export interface ImportTasksOptions extends StorageOptions {
  /** Whose the tasks become, as the option `owner` of `serve` names users; default the owner of a server without it. */
  owner?: string
}

/** Characters that one message to the page carries. */
const slice = 4_000_000

/**
 * Loads tasks that `intab/devtools` exported into the page's database, in one transaction; resolves with their ids. `file`
 * is a path or what is in the file. All times move, as though the file had been exported just now. What ran when it was
 * exported goes on as after the death of its worker: a tool with `onInterrupt: 'resume'` runs again, and questions are
 * asked again under their ids. Limits of the server are not checked.
 * Rejects with `invalid_options` when the file cannot be read, a field does not fit (`data.field`), a newer intab wrote it,
 * or the page has no such database; with `key_conflict` when one of the tasks, or its idempotency key, is there already.
 * Then nothing was written.
 */
export async function importTasks(
  page: Page,
  file: string | URL | object,
  { owner = everybody, ...options }: ImportTasksOptions = {}
): Promise<string[]> {
  const checked = checkTaskFile(typeof file === 'string' || file instanceof URL ? await read(file) : file)
  const name = await databaseOf(page, options)
  const now = Date.now() + (await aheadOf(page))
  const parts: JSHandle<string[]> = await page.evaluateHandle(() => [])
  try {
    const text = JSON.stringify(checked.tasks.map((task) => storedRows(task, owner, now, checked.exportedAt)))
    for (let at = 0; at < text.length; at += slice) {
      await parts.evaluate((all, part) => void all.push(part), text.slice(at, at + slice))
    }
    const refused = await parts.evaluate(write, { name, owner, version })
    if (refused !== undefined) throw new IntabError(refused.code, `${refused.problem}: nothing was imported`)
  } finally {
    // It can only fail because the page has gone on, and the parts with it.
    await parts.dispose().catch(() => undefined)
  }
  return checked.tasks.map(({ task }) => task.taskId)
}

async function read(file: string | URL): Promise<unknown> {
  try {
    return JSON.parse((await readFile(file, 'utf8')).replace(/^\uFEFF/, ''))
  } catch (error) {
    const message = `${String(file)} cannot be read as JSON (${toError(error).message}): give a file that the devtools exported`
    throw new IntabError('invalid_options', message, undefined, { cause: error })
  }
}

interface Place {
  name: string
  owner: string
  version: number
}

/** Runs in the page. Resolves with why nothing was written. */
async function write(
  parts: string[],
  { name, owner, version }: Place
): Promise<{ code: 'key_conflict' | 'invalid_options'; problem: string } | undefined> {
  const tasks = JSON.parse(parts.join('')) as TaskInStores[]
  const result = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error ?? new Error('IndexedDB failed'))
    })
  const db = await result(indexedDB.open(name))
  try {
    if (db.version !== version) {
      const problem = `The database '${name}' has version ${db.version}, and this intab writes ${version}; use the intab of the app`
      return { code: 'invalid_options', problem }
    }
    const tx = db.transaction(db.objectStoreNames, 'readwrite')
    const done = new Promise<void>((resolve, reject) => {
      tx.oncomplete = () => resolve()
      tx.onabort = () => reject(tx.error ?? new Error('The transaction was aborted'))
    })
    // Told by whatever rejects first.
    done.catch(() => undefined)
    const stores = (store: string): IDBObjectStore => tx.objectStore(store)
    const keyed = stores('tasks').index('idempotencyKey')
    type Counters = { owner: string; unfinished: number; kept: number; nextSeq: number; keys?: number }
    const known = (await result(stores('owners').get(owner))) as Counters | undefined
    const counters = known ?? { owner, unfinished: 0, kept: 0, nextSeq: 1 }
    for (const { task, call, outcome, messages, steps } of tasks) {
      const { taskId, idempotencyKey } = task
      const key = [owner, idempotencyKey ?? '']
      const [same, sameKey, tombstone] = await Promise.all([
        result(stores('tasks').getKey(taskId)),
        idempotencyKey === undefined ? undefined : result(keyed.getKey(key) as IDBRequest<string | undefined>),
        idempotencyKey === undefined ? undefined : result(stores('tombstones').getKey(key))
      ])
      if (same !== undefined || sameKey !== undefined) {
        tx.abort()
        const problem =
          same === undefined
            ? `Task ${sameKey} has the idempotency key of task ${taskId}`
            : `Task ${taskId} is in the database already; delete it first`
        return { code: 'key_conflict', problem }
      }
      if (tombstone !== undefined) {
        stores('tombstones').delete(tombstone)
        counters.keys = (counters.keys ?? 1) - 1
      }
      stores('tasks').add({ ...task, seq: counters.nextSeq })
      stores('calls').add({ taskId, ...call })
      if (outcome !== undefined) stores('outcomes').add({ taskId, outcome })
      for (const message of messages) stores('messages').add(message)
      for (const step of steps) stores('steps').add({ taskId, ...step })
      counters.nextSeq += 1
      counters.kept += 1
      if (outcome === undefined) counters.unfinished += 1
    }
    stores('owners').put(counters)
    await done
  } finally {
    db.close()
  }
  // The bus of the workers: src/bus/update-bus.ts. One that lives reads the tasks, and runs those that nobody runs.
  const bus = new BroadcastChannel(name)
  bus.postMessage({ updated: tasks.map(({ task }) => task.taskId) })
  bus.close()
  return undefined
}
