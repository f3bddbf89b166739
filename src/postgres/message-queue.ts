import { toErrorObject } from '../errors.js'
import { taskIdOf } from '../ids.js'
import { plainJson } from '../plain-json.js'
import { answeredOne, canAnswer, freed, hosted, isExpired, pageGone, refused, shut } from '../record-changes.js'
import type { Limits, MessageQueue, Outcome, RequestRecord, TaskRecord } from '../types.js'
import { asSnapshot, look, lookAndClaim, seen } from './claim.js'
import { ask, notify } from './enqueue.js'
import { findRequest, hold, putRequest } from './request-row.js'
import { current, isFinal, lockTask, save, saveRequests } from './task-row.js'
import type { Transactions, Write } from './transactions.js'

export function openMessageQueue(transactions: Transactions, limits: Limits): MessageQueue {
  const { read } = transactions
  const clean = <T>(value: T, root: string): T => plainJson(value, root, limits.bytes).value as T

  /** Changes a request that stays open. */
  const note = (
    name: string,
    requestId: string,
    owner: string,
    change: (row: RequestRecord, now: number) => RequestRecord
  ): Promise<RequestRecord | undefined> =>
    transactions.write(name, async (write) => {
      const found = await openRequest(write, requestId, owner)
      if (found === undefined) return undefined
      const row = await putRequest(write, change(found.request, write.now))
      await saveRequests(write, found.task, [row])
      return row
    })

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
      return note('refuse', requestId, owner, (row, now) => refused(row, connection, why, now))
    },

    host: (requestId, owner, connection, taskId) =>
      note('host', requestId, owner, (row, now) => hosted(row, connection, taskId, now)),

    async giveBack(connection, which) {
      const given = ({ requestId, hosted: by }: RequestRecord): boolean => {
        if (which === undefined) return true
        return 'only' in which ? which.only.includes(requestId) : by === undefined && !which.except.includes(requestId)
      }
      await transactions.write('give-back', (write) => giveBack(write, connection, given, which === undefined))
    },

    async open({ owner, taskId }) {
      const rows = await read<{ record: RequestRecord }>(
        `SELECT record FROM messages
         WHERE is_open AND ($1::text[] IS NULL OR owner = ANY ($1)) AND ($2::text IS NULL OR task_id = $2)
         ORDER BY (record->>'enqueuedAt')::bigint, owner COLLATE "C", task_id, n`,
        [owner === undefined ? null : [owner].flat(), taskId ?? null]
      )
      return rows.map(({ record }) => record)
    },

    async request(taskId, requestId) {
      const row = await findRequest(read, requestId)
      return row?.taskId === taskId ? row : undefined
    }
  }
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
  const row = await putRequest(write, shut(request, 'answered', write.now, outcome))
  answeredOne(task, row)
  await save(write, task, { request: row })
}

/** A connection that is `gone`: nobody knows what its page does. */
async function giveBack(
  write: Write,
  connection: string,
  given: (request: RequestRecord) => boolean,
  gone: boolean
): Promise<void> {
  const claims = await write.sql<{ task_id: string }>(
    'SELECT DISTINCT task_id FROM messages WHERE claimed_by = $1 ORDER BY task_id',
    [connection]
  )
  for (const { task_id: taskId } of claims) {
    const task = await lockTask(write, taskId)
    const rows = await write.sql<{ record: RequestRecord }>(
      'SELECT record FROM messages WHERE task_id = $1 AND claimed_by = $2',
      [taskId, connection]
    )
    const claimed = rows.map(({ record }) => record).filter(given)
    const lost = claimed.filter(({ once }) => gone && once)
    const free = claimed.filter((record) => !lost.includes(record))
    for (const record of free) await putRequest(write, freed(record))
    if (task === undefined) continue
    if (free.length > 0) {
      await save(write, task)
      // Anybody may show them now: whoever waits looks for all that is pending.
      write.changed(taskId)
    }
    for (const record of lost) await settle(write, task, record, pageGone(record))
  }
}
