import { toErrorObject } from '../errors.js'
import { taskIdOf } from '../ids.js'
import { plainJson } from '../plain-json.js'
import {
  answeredOne,
  canAnswer,
  freed,
  isExpired,
  newQuestion,
  nextNumber,
  pageGone,
  refused,
  sameNotification,
  sameQuestion,
  shut
} from '../record-changes.js'
import type {
  Fence,
  JsonObject,
  Limits,
  Looker,
  MessageQueue,
  MessageRecord,
  NotificationRecord,
  Outcome,
  RequestDraft,
  RequestRecord,
  TaskRecord
} from '../types.js'
import { asSnapshot, look, lookAndClaim, seen } from './claim.js'
import { addMessage, findRequest, hold, putRequest } from './request-row.js'
import { current, fenced, isFinal, lockTask, prove, save, saveRequests } from './task-row.js'
import type { Transactions, Write } from './transactions.js'

export function openMessageQueue(transactions: Transactions, limits: Limits): MessageQueue {
  const { read } = transactions
  const clean = <T>(value: T, root: string): T => plainJson(value, root, limits.bytes).value as T

  return {
    async ask(fence, { params, needs, ...rest }, looker) {
      const draft = { ...rest, params: clean(params, 'params'), needs: [...needs] }
      return transactions.write('ask', (write) => ask(write, fence, draft, limits, looker))
    },

    async notify(fence, method, params, key) {
      const message = { method, params: clean(params, 'params'), ...(key !== undefined && { key }) }
      return transactions.write('notify', (write) => notify(write, fence, message, limits))
    },

    async claim(taskId, owner, claimant, place, left) {
      if (left?.removed) return undefined
      const looker = { ...claimant, owner, place }
      const known = left && seen(left, looker)
      if (known !== undefined) return known
      for (;;) {
        const found = await look(read, taskId, looker)
        if (found === undefined) return undefined
        if (!isExpired(found.task, Date.now())) {
          if (!found.messages.some((message) => message.kind === 'request')) return asSnapshot(found)
          return transactions.write('claim', (write) => lookAndClaim(write, taskId, looker))
        }
        await transactions.write('expire', (write) => current(write, taskId))
      }
    },

    take: (requestId, owner, claimant, onlyPending = false) =>
      transactions.write('take', async (write) => {
        const found = await openRequest(write, requestId, owner)
        if (found === undefined || !canAnswer(claimant, found.request)) return undefined
        if (found.request.claimedBy === claimant.connection) return found.request
        if (onlyPending && found.request.state !== 'pending') return undefined
        const held = await hold(write, found.request, claimant)
        await saveRequests(write, found.task, [held])
        return held
      }),

    async answer(requestId, owner, answer) {
      const kept = (outcome: Outcome): Outcome => {
        try {
          return clean(outcome, '')
        } catch (error) {
          return { error: toErrorObject(error) }
        }
      }
      const make = typeof answer === 'function' ? answer : undefined
      const given = typeof answer === 'function' ? undefined : clean(answer, '')
      return transactions.write('answer', async (write) => {
        const found = await openRequest(write, requestId, owner)
        if (found === undefined) return false
        const { request, task } = found
        const made = make?.({ ...request })
        const outcome = made === undefined ? given : kept(made)
        if (outcome === undefined) return false
        await settle(write, task, request, outcome)
        return true
      })
    },

    async refuse(requestId, owner, connection, refusal) {
      const why = clean(refusal, 'answer')
      return transactions.write('refuse', async (write) => {
        const found = await openRequest(write, requestId, owner)
        if (found === undefined) return undefined
        const row = await putRequest(write, refused(found.request, connection, why, write.now))
        await saveRequests(write, found.task, [row])
        return row
      })
    },

    async giveBack(connection, which) {
      await transactions.write('give-back', (write) => giveBack(write, connection, which))
    },

    async open({ owner, taskId }) {
      const rows = await read<{ record: RequestRecord }>(
        `SELECT record FROM messages
         WHERE is_open AND ($1::text IS NULL OR owner = $1) AND ($2::text IS NULL OR task_id = $2)
         ORDER BY (record->>'enqueuedAt')::bigint, owner COLLATE "C", task_id, n`,
        [owner ?? null, taskId ?? null]
      )
      return rows.map(({ record }) => record)
    },

    async request(taskId, requestId) {
      const row = await findRequest(read, requestId)
      return row?.taskId === taskId ? row : undefined
    },

    async all(taskId) {
      const rows = await read<{ record: MessageRecord }>('SELECT record FROM messages WHERE task_id = $1 ORDER BY n', [
        taskId
      ])
      return rows.map(({ record }) => record)
    }
  }
}

/** Stores a question, for the looker if it can be the next to show one, or finds the one with its key; undefined when fenced off. */
async function ask(
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
async function notify(
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

/** The request while it may be answered; a task that overran its ttl is failed first, which withdraws it. */
async function openRequest(
  write: Write,
  requestId: string,
  owner: string
): Promise<{ request: RequestRecord; task: TaskRecord } | undefined> {
  const task = await current(write, taskIdOf(requestId))
  if (task === undefined || isFinal(task) || task.owner !== owner) return undefined
  const request = await findRequest(write.sql, requestId)
  return request?.state === 'pending' || request?.state === 'delivered' ? { request, task } : undefined
}

async function settle(write: Write, task: TaskRecord, request: RequestRecord, outcome: Outcome): Promise<void> {
  const row = await putRequest(write, shut(request, 'answered', outcome))
  answeredOne(task, row)
  await save(write, task, { request: row })
}

/** Without `which` the connection is gone: nobody knows what its page does. */
async function giveBack(
  write: Write,
  connection: string,
  which?: Parameters<MessageQueue['giveBack']>[1]
): Promise<void> {
  const only = which !== undefined && 'only' in which
  const named = only ? which.only : (which?.except ?? [])
  const claims = await write.sql<{ task_id: string }>(
    'SELECT DISTINCT task_id FROM messages WHERE claimed_by = $1 AND (request_id = ANY($2)) = $3 ORDER BY task_id',
    [connection, named, only]
  )
  for (const { task_id: taskId } of claims) {
    const task = await lockTask(write, taskId)
    const rows = await write.sql<{ record: RequestRecord }>(
      'SELECT record FROM messages WHERE task_id = $1 AND claimed_by = $2 AND (request_id = ANY($3)) = $4',
      [taskId, connection, named, only]
    )
    const lost = rows.filter(({ record }) => which === undefined && record.once)
    const free = rows.filter((row) => !lost.includes(row))
    for (const { record } of free) await putRequest(write, freed(record))
    if (task === undefined) continue
    if (free.length > 0) {
      await save(write, task)
      // Anybody may show them now: whoever waits looks for all that is pending.
      write.changed(taskId)
    }
    for (const { record } of lost) await settle(write, task, record, pageGone(record))
  }
}
