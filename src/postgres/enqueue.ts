import { newQuestion, nextNumber, sameNotification, sameQuestion } from '../record-changes.js'
import type {
  Fence,
  JsonObject,
  Limits,
  Looker,
  MessageRecord,
  NotificationRecord,
  RequestDraft,
  RequestRecord,
  TaskRecord
} from '../types.js'
import { addMessage } from './request-row.js'
import { fenced, prove, save } from './task-row.js'
import type { Write } from './transactions.js'

/** Stores a question, for the looker if it can be the next to show one, or finds the one with its key; undefined when fenced off. */
export async function ask(
  write: Write,
  fence: Fence,
  draft: RequestDraft,
  limits: Limits,
  looker?: Looker
): Promise<RequestRecord | undefined> {
  const task = await fenced(write, fence)
  if (task === undefined) return undefined
  const [known] = await write.sql<{ record: RequestRecord }>(
    'SELECT record FROM messages WHERE task_id = $1 AND key = $2',
    [fence.taskId, draft.key]
  )
  if (known !== undefined) {
    const { record } = known
    sameQuestion(record, draft)
    if (record.state === 'pending' || record.state === 'delivered') await prove(write, task)
    return record
  }
  const request = newQuestion(task, draft, limits, write.now, looker)
  await append(write, task, request)
  return request
}

/** False when fenced off. */
export async function notify(
  write: Write,
  fence: Fence,
  message: { method: string; params: JsonObject; key?: string },
  limits: Limits
): Promise<boolean> {
  const task = await fenced(write, fence)
  if (task === undefined) return false
  const { taskId, owner } = task
  const known = fence.attempt === 1 ? undefined : await sentBefore(write, taskId, message.key)
  if (known !== undefined && sameNotification(known, message)) return true
  if (known !== undefined) task.replaced = (task.replaced ?? 0) + 1
  const n = nextNumber(task, limits)
  if (known !== undefined) await write.sql('DELETE FROM messages WHERE task_id = $1 AND n = $2', [taskId, known.n])
  await append(write, task, { kind: 'notification', taskId, n, owner, ...message, enqueuedAt: write.now })
  return true
}

async function sentBefore({ sql }: Write, taskId: string, key: string | undefined): Promise<MessageRecord | undefined> {
  if (key === undefined) return undefined
  const [row] = await sql<{ record: MessageRecord }>('SELECT record FROM messages WHERE task_id = $1 AND key = $2', [
    taskId,
    key
  ])
  return row?.record
}

async function append(write: Write, task: TaskRecord, message: RequestRecord | NotificationRecord): Promise<void> {
  task.messageCount = message.n
  await addMessage(write, message)
  await save(write, task, message.kind === 'request' ? { request: message, asked: true } : {})
}
