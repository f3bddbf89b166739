import { closeRun } from '../record-changes.js'
import type { Roster, TaskRecord } from '../types.js'
import { pageSize } from './schema.js'
import { fenced, save, toRecord } from './task-row.js'
import type { Transactions } from './transaction.js'

export function openRoster(transactions: Transactions): Roster {
  return {
    executors: () => transactions.read((tx) => distinctKeys(tx.objectStore('tasks').index('executor'))),

    claimants: () => transactions.read((tx) => distinctKeys(tx.objectStore('messages').index('claimedBy'))),

    unfinished: (executor) =>
      transactions.read(async (tx) => {
        const found: TaskRecord[] = []
        for await (const { value } of tx.objectStore('tasks').index('executor').iterate(executor)) {
          found.push(toRecord(value))
        }
        return found
      }),

    adopt: (fence, executor) =>
      transactions.write('adopt', async (write) => {
        const [row, call] = await Promise.all([fenced(write, fence), write.tx.objectStore('calls').get(fence.taskId)])
        // Each is written and deleted with the other.
        if (row === undefined || call === undefined) return undefined
        closeRun(row, row.lastUpdatedAt)
        row.executor = executor
        row.attempt += 1
        row.startedAt = write.now
        const task = toRecord(save(write, row))
        // Whoever ran it may have died before it told of a question: all are to be read.
        if (row.openRequests > 0) write.changed(row.taskId)
        return { task, call }
      }),

    async abandon(executor) {
      if (executor === '') return
      for (let more = true; more;) {
        more = await transactions.write('abandon', async (write) => {
          const page = await write.tx.objectStore('tasks').index('executor').getAll(executor, pageSize)
          for (const row of page) {
            closeRun(row, write.now, true)
            save(write, { ...row, executor: '' })
          }
          return page.length === pageSize
        })
      }
    }
  }
}

interface KeyIndex {
  openKeyCursor(range?: IDBKeyRange): Promise<{ key: string } | null>
}

/**
 * Each key once, by plain cursors that step past it: WebKit fails with "Unable to open cursor" where a unique one finds no
 * row. https://bugs.webkit.org/show_bug.cgi?id=319640
 */
async function distinctKeys(index: KeyIndex): Promise<string[]> {
  const found: string[] = []
  let cursor = await index.openKeyCursor()
  while (cursor !== null) {
    found.push(cursor.key)
    cursor = await index.openKeyCursor(IDBKeyRange.lowerBound(cursor.key, true))
  }
  return found
}
