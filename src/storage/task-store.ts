import { IntabError, toError } from '../errors.js'
import type { Fence, JsonObject, Limits, Progress, TaskRecord, TaskStore } from '../types.js'
import { createTask } from './create-task.js'
import { gather } from './gather.js'
import { listTasks } from './list-tasks.js'
import { plainJson } from '../plain-json.js'
import { ownerRow } from './owner-row.js'
import { sweepSome } from './retention.js'
import { pageSize, type StoredTask, startingWith } from './schema.js'
import { type End, isExpired } from '../record-changes.js'
import { current, end, eraseAll, fenced, isFenceOf, isFinal, save, toRecord } from './task-row.js'
import { readRows } from './task-rows.js'
import type { Transactions, Write } from './transaction.js'

export function openTaskStore(transactions: Transactions, limits: Limits): TaskStore {
  const expireAll = (taskIds: readonly string[]): Promise<void> =>
    transactions.write('expire', async (write) => {
      for (const taskId of taskIds) await current(write, taskId)
    })

  /** Most often there is one owner, whose counters can be read beside the task and not after it. */
  let lastOwner = ''

  const report = gather(transactions, 'report', reportAll)

  const cleanObject = (value: JsonObject, root: string): JsonObject =>
    plainJson(value, root, limits.bytes).value as JsonObject

  return {
    async create(draft, fresh = false) {
      const clean = { ...draft, arguments: cleanObject(draft.arguments, 'arguments') }
      if (draft.meta !== undefined) clean.meta = cleanObject(draft.meta, '_meta')
      lastOwner = draft.owner
      const store = (isFresh: boolean): ReturnType<typeof createTask> =>
        transactions
          .write('create', (write) => createTask(write, clean, limits, isFresh))
          .catch(async (error: unknown) => {
            const isFull = error instanceof IntabError && error.code === 'limit_reached'
            // What is past its time holds no place.
            if (isFull && (await sweepSome(transactions, limits))) return store(isFresh)
            if (toError(error).name !== 'ConstraintError') throw error
            if (isFresh) return store(false)
            throw new IntabError('key_conflict', `Task ${draft.taskId} exists already`)
          })
      const { row, created } = await store(fresh)
      const call = { arguments: clean.arguments, ...(clean.meta && { meta: clean.meta }) }
      return { task: toRecord(row), call, created }
    },

    async get(taskId) {
      let row = await transactions.read((tx) => tx.objectStore('tasks').get(taskId))
      if (row !== undefined && isExpired(row, Date.now())) {
        if (isFinal(row)) return undefined
        row = await transactions.write('expire', (write) => current(write, taskId))
      }
      return row && toRecord(row)
    },

    async keyed(owner, idempotencyKey) {
      const key: [string, string] = [owner, idempotencyKey]
      const row = await transactions.read((tx) => tx.objectStore('tasks').index('idempotencyKey').get(key))
      return row && toRecord(row)
    },

    owned: (owner, taskIds) =>
      transactions.read(async (tx) => {
        const rows = await Promise.all(taskIds.map((taskId) => tx.objectStore('tasks').get(taskId)))
        const isOwn = (row: StoredTask | undefined): boolean =>
          row?.owner === owner && !(isFinal(row) && isExpired(row, Date.now()))
        return taskIds.filter((_, n) => isOwn(rows[n]))
      }),

    async list(owner, query) {
      for (;;) {
        const { rows, next, overran } = await transactions.read((tx) => listTasks(tx, owner, query))
        if (overran.length === 0) return { tasks: rows.map(toRecord), ...(next === undefined ? {} : { next }) }
        await expireAll(overran)
      }
    },

    call: (taskId) => transactions.read((tx) => tx.objectStore('calls').get(taskId)),

    rows: (taskId) => transactions.read((tx) => readRows(tx, taskId)),

    async report(fence, { statusMessage, progress }) {
      const clean = progress && (plainJson(progress, 'progress', limits.bytes).value as unknown as typeof progress)
      return report({ fence, ...(statusMessage !== undefined && { statusMessage }), ...(clean && { progress: clean }) })
    },

    async finish(task, { status, outcome, statusMessage }) {
      const clean = plainJson(outcome, '', limits.bytes).value as unknown as typeof outcome
      const ending: End = { status, outcome: clean, ...(statusMessage === undefined ? {} : { statusMessage }) }
      return transactions.write('finish', async (write) => {
        const finding = 'executor' in task ? fenced(write, task) : current(write, task.taskId)
        const [row] = await Promise.all([finding, ownerRow(write, lastOwner)])
        if (row === undefined || isFinal(row)) return undefined
        return toRecord(await end(write, row, ending))
      })
    },

    async markFetched(taskIds) {
      await transactions.write('fetched', async (write) => {
        const store = write.tx.objectStore('tasks')
        // In two rounds, however many they are: other writes wait meanwhile.
        for (const row of await Promise.all(taskIds.map((taskId) => store.get(taskId)))) {
          if (row === undefined || !isFinal(row) || row.fetchedAt !== undefined) continue
          write.put('tasks', { ...row, fetchedAt: write.now, spare: 0 })
        }
      })
    },

    async remove(owner, taskId) {
      if (taskId === undefined) return removeAll(transactions, owner, limits)
      return transactions.write('remove', async (write) => {
        const row = await write.tx.objectStore('tasks').get(taskId)
        if (row === undefined || row.owner !== owner) return []
        await eraseAll(write, [row], limits)
        return [taskId]
      })
    }
  }
}

interface Report {
  fence: Fence
  statusMessage?: string
  progress?: Progress
}

/** A thousand tasks that report must not hold up the one that ends: all rows are read at once. */
async function reportAll(write: Write, reports: readonly Report[]): Promise<(TaskRecord | undefined)[]> {
  const ids = [...new Set(reports.map(({ fence }) => fence.taskId))]
  const rows = new Map<string, StoredTask | undefined>()
  const found = await Promise.all(ids.map((taskId) => write.tx.objectStore('tasks').get(taskId)))
  for (const [n, row] of found.entries()) {
    // What overran its time ends, which changes its owner's counters: one after the other.
    const known = row !== undefined && isExpired(row, write.now) ? await current(write, row.taskId) : row
    rows.set(ids[n] ?? '', known)
  }
  return reports.map(({ fence, statusMessage, progress }) => {
    const row = rows.get(fence.taskId)
    if (row === undefined || !isFenceOf(row, fence)) return undefined
    if (statusMessage !== undefined) row.statusMessage = statusMessage
    // A run that begins again is behind the one before it: what a person sees must not go back.
    if (progress !== undefined && progress.progress >= (row.progress?.progress ?? -Infinity)) row.progress = progress
    return toRecord(save(write, row))
  })
}

/** Page by page, so that one owner's many tasks hold up nobody; the owner's counters and keys go with the last. */
async function removeAll(transactions: Transactions, owner: string, limits: Limits): Promise<string[]> {
  const gone: string[] = []
  for (;;) {
    const page = await transactions.write('remove', (write) => removePage(write, owner, limits))
    gone.push(...page.map((row) => row.taskId))
    if (page.length < pageSize) return gone
  }
}

async function removePage(write: Write, owner: string, limits: Limits): Promise<StoredTask[]> {
  const page = await write.tx.objectStore('tasks').index('bySeq').getAll(startingWith(owner), pageSize)
  await eraseAll(write, page, limits)
  if (page.length < pageSize) {
    write.delete('owners', owner)
    write.delete('tombstones', startingWith(owner))
  }
  return page
}
