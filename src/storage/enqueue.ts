import { IntabError } from '../errors.js'
import type { Fence, JsonObject, Limits, Looker, RequestDraft, RequestRecord } from '../types.js'
import { limitReached } from './create-task.js'
import { newRequestId } from '../ids.js'
import { sameJson } from '../plain-json.js'
import { canAnswer, claimed, toRequest } from './request-row.js'
import { type StoredMessage, type StoredRequest, type StoredTask } from './schema.js'
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
    if (known.method === draft.method && sameJson(known.params, draft.params)) {
      if (known.openTask !== undefined) prove(write, task)
      return toRequest(known)
    }
    throw new IntabError(
      'diverged',
      `The handler asks something else under the key "${draft.key}" than on its first run: give each question its own key`,
      { key: draft.key }
    )
  }
  const pending: StoredRequest = {
    kind: 'request',
    taskId: task.taskId,
    n: nextNumber(task, limits),
    owner: task.owner,
    requestId: newRequestId(task.taskId),
    ...draft,
    state: 'pending',
    openTask: task.taskId,
    enqueuedAt: write.now
  }
  const isNext = looker?.owner === task.owner && looker.place === task.messageCount && canAnswer(looker, draft)
  const request = isNext ? claimed(pending, looker, write.now) : pending
  task.openRequests += 1
  task.provenAttempt = task.attempt
  task.status = 'input_required'
  append(write, task, request)
  return toRequest(request)
}

/** False when fenced off. */
export async function notify(
  write: Write,
  fence: Fence,
  message: { method: string; params: JsonObject },
  limits: Limits
): Promise<boolean> {
  const task = await fenced(write, fence)
  if (task === undefined) return false
  const { taskId, owner } = task
  append(write, task, {
    kind: 'notification',
    taskId,
    n: nextNumber(task, limits),
    owner,
    ...message,
    enqueuedAt: write.now
  })
  return true
}

function nextNumber({ messageCount }: StoredTask, limits: Limits): number {
  if (messageCount < limits.messages) return messageCount + 1
  throw limitReached(
    `This task has sent ${limits.messages} messages already: send fewer, or larger ones`,
    limits.messages
  )
}

function append(write: Write, task: StoredTask, message: StoredMessage): void {
  task.messageCount = message.n
  write.add('messages', message)
  save(write, task, message.kind === 'request' ? { request: toRequest(message), asked: true } : {})
}
