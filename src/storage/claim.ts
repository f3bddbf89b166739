import type { Left, Looker, MessageRecord, NotificationRecord, Snapshot } from '../types.js'
import { canAnswer, isExpired } from '../record-changes.js'
import { hold, openRequests, toRequest } from './request-row.js'
import {
  pageSize,
  type ReadTx,
  startingWith,
  type StoredMessage,
  type StoredRequest,
  type StoredTask
} from './schema.js'
import { current, isFinal, saveRequests, toRecord } from './task-row.js'
import type { Write } from './transaction.js'

/** What one look found; nothing is claimed yet. */
export interface Look {
  task: StoredTask
  snapshot: Omit<Snapshot, 'messages'>
  /** In order of `n`; the requests among them are pending, and the looker can take them. */
  messages: StoredMessage[]
}

/** The snapshot that a look would give, when what a write left tells it: nothing is overdue, open or unread. */
export function seen({ task, outcome, request }: Left, { owner, place, connection }: Looker): Snapshot | undefined {
  const shown = request?.claimedBy === connection ? 1 : 0
  if (task.owner !== owner || task.openRequests > shown || task.messageCount > place) return undefined
  if (isExpired(task, Date.now())) return undefined
  return { task, ...(outcome && { outcome }), messages: [], more: false }
}

/**
 * The task, its outcome and its next messages. Undefined when unknown, foreign or past its retention. `expected`: there
 * are messages, most likely.
 */
export async function look(tx: ReadTx, taskId: string, looker: Looker, expected = false): Promise<Look | undefined> {
  // At once, though most tasks have no outcome yet: each wait is a round trip to the browser's process.
  const [task, stored, early] = await Promise.all([
    tx.objectStore('tasks').get(taskId),
    tx.objectStore('outcomes').get(taskId),
    expected ? unread(tx, taskId, looker) : undefined
  ])
  if (task === undefined || task.owner !== looker.owner) return undefined
  if (isFinal(task) && isExpired(task, Date.now())) return undefined
  const found = early ?? (await unread(tx, taskId, looker, task))
  const messages = found.sort((a, b) => a.n - b.n).slice(0, pageSize)
  const more = found.length > messages.length
  return { task, snapshot: { task: toRecord(task), ...(stored && { outcome: stored.outcome }), more }, messages }
}

/** Looks, and claims what it found in the same transaction. */
export async function lookAndClaim(write: Write, taskId: string, looker: Looker): Promise<Snapshot | undefined> {
  let found = await look(write.tx, taskId, looker, true)
  if (found !== undefined && isExpired(found.task, write.now)) {
    await current(write, taskId)
    found = await look(write.tx, taskId, looker)
  }
  if (found === undefined) return undefined
  const messages = found.messages.map((message): MessageRecord =>
    message.kind === 'request' ? hold(write, message, looker) : message
  )
  const claimed = messages.filter((message) => message.kind === 'request')
  if (claimed.length > 0) saveRequests(write, found.task, claimed)
  return { ...found.snapshot, task: toRecord(found.task), messages }
}

/** As a snapshot, when there was nothing to claim. */
export function asSnapshot({ snapshot, messages }: Look): Snapshot {
  return {
    ...snapshot,
    messages: messages.map((message) => (message.kind === 'request' ? toRequest(message) : message))
  }
}

/** What the looker has not read, and what it can take; less is asked for where the task says that there is none. */
async function unread(tx: ReadTx, taskId: string, looker: Looker, task?: StoredTask): Promise<StoredMessage[]> {
  const [told, asked] = await Promise.all([
    task !== undefined && task.messageCount <= looker.place ? [] : notifications(tx, taskId, looker.place),
    task?.openRequests === 0 ? [] : claimable(tx, taskId, looker)
  ])
  return [...told, ...asked]
}

/** Stops one past a page, so that the caller sees that more is there. */
async function notifications(tx: ReadTx, taskId: string, place: number): Promise<StoredMessage[]> {
  const found: NotificationRecord[] = []
  for (let after: number | undefined = place; after !== undefined && found.length <= pageSize;) {
    const range = IDBKeyRange.bound([taskId, after], [taskId, []], true)
    const page: StoredMessage[] = await tx.objectStore('messages').getAll(range, pageSize)
    found.push(...page.filter((message) => message.kind === 'notification'))
    after = page.length < pageSize ? undefined : page.at(-1)?.n
  }
  return found
}

async function claimable(tx: ReadTx, taskId: string, looker: Looker): Promise<StoredRequest[]> {
  const found: StoredRequest[] = []
  for await (const request of openRequests(tx, startingWith(looker.owner, taskId))) {
    if (request.state === 'pending' && canAnswer(looker, request)) found.push(request)
    if (found.length > pageSize) break
  }
  return found
}
