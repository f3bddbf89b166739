// All that is stored of one task, in one transaction.

import type { MessageRecord, TaskRows } from '../types.js'
import { toRequest } from './request-row.js'
import { pageSize, type ReadTx, startingWith } from './schema.js'
import { toRecord } from './task-row.js'

export async function readRows(tx: ReadTx, taskId: string): Promise<TaskRows | undefined> {
  const [row, stored, steps] = await Promise.all([
    tx.objectStore('tasks').get(taskId),
    tx.objectStore('calls').get(taskId),
    tx.objectStore('steps').getAll(startingWith(taskId))
  ])
  if (row === undefined || stored === undefined) return undefined
  const { taskId: _, ...call } = stored
  return { task: toRecord(row), call, messages: await messagesOf(tx, taskId), steps }
}

async function messagesOf(tx: ReadTx, taskId: string): Promise<MessageRecord[]> {
  const found: MessageRecord[] = []
  for (let after = 0; ;) {
    const range = IDBKeyRange.bound([taskId, after], [taskId, []], true)
    const page = await tx.objectStore('messages').getAll(range, pageSize)
    found.push(...page.map((message) => (message.kind === 'request' ? toRequest(message) : message)))
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return found
    after = last.n
  }
}
