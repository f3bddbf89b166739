import type { Fence, JsonObject, Limits, Looker, RequestDraft, RequestRecord } from '../types.js'
import { newQuestion, nextNumber, sameNotification, sameQuestion } from '../record-changes.js'
import { toRequest } from './request-row.js'
import type { StoredMessage, StoredTask } from './schema.js'
import { fenced, prove, save } from './task-row.js'
import type { Write } from './transaction.js'

/** Stores a question, for the looker if it can be the next to show one, or finds the one with its key; undefined when fenced off. */
export async function ask(
  write: Write,
  fence: Fence,
  draft: RequestDraft,
  limits: Limits,
  looker?: Looker
): Promise<RequestRecord | undefined> {
  const [task, known] = await Promise.all([
    fenced(write, fence),
    write.tx.objectStore('messages').index('key').get([fence.taskId, draft.key])
  ])
  if (task === undefined) return undefined
  if (known?.kind === 'request') {
    sameQuestion(known, draft)
    if (known.openTask !== undefined) prove(write, task)
    return toRequest(known)
  }
  const request = newQuestion(task, draft, limits, write.now, looker)
  append(write, task, { ...request, openTask: task.taskId })
  return request
}

/** False when fenced off. */
export async function notify(
  write: Write,
  fence: Fence,
  message: { method: string; params: JsonObject; key?: string },
  limits: Limits
): Promise<boolean> {
  const { key } = message
  const [task, known] = await Promise.all([
    fenced(write, fence),
    // Nobody ran before the first run.
    key === undefined || fence.attempt === 1
      ? undefined
      : write.tx.objectStore('messages').index('key').get([fence.taskId, key])
  ])
  if (task === undefined) return false
  if (known !== undefined && sameNotification(known, message)) return true
  if (known !== undefined) task.replaced = (task.replaced ?? 0) + 1
  const { taskId, owner } = task
  const n = nextNumber(task, limits)
  if (known !== undefined) write.delete('messages', [taskId, known.n])
  append(write, task, { kind: 'notification', taskId, n, owner, ...message, enqueuedAt: write.now })
  return true
}

function append(write: Write, task: StoredTask, message: StoredMessage): void {
  task.messageCount = message.n
  write.add('messages', message)
  save(write, task, message.kind === 'request' ? { request: toRequest(message), asked: true } : {})
}
