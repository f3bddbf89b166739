import { toErrorObject } from '../errors.js'
import type { JsonObject, Limits, MessageQueue, Outcome, RequestRecord } from '../types.js'
import { asSnapshot, look, lookAndClaim, seen } from './claim.js'
import { ask, notify } from './enqueue.js'
import { taskIdOf } from '../ids.js'
import { plainJson } from '../plain-json.js'
import { answeredOne, canAnswer, freed, hosted, isExpired, pageGone, refused } from '../record-changes.js'
import { closed, findRequest, hold, openRequests, toRequest } from './request-row.js'
import { type ReadTx, startingWith, type StoredRequest, type StoredTask } from './schema.js'
import { current, isFinal, save, saveRequests } from './task-row.js'
import type { Transactions, Write } from './transaction.js'

export function openMessageQueue(transactions: Transactions, limits: Limits): MessageQueue {
  const cleanParams = (params: JsonObject): JsonObject => plainJson(params, 'params', limits.bytes).value as JsonObject

  /** Changes a request that stays open. */
  const note = (
    name: string,
    requestId: string,
    owner: string,
    change: (row: StoredRequest, now: number) => StoredRequest
  ): Promise<RequestRecord | undefined> =>
    transactions.write(name, async (write) => {
      const found = await openRequest(write, requestId, owner)
      if (found === undefined) return undefined
      const row = change(found.request, write.now)
      write.put('messages', row)
      saveRequests(write, found.task, [toRequest(row)])
      return toRequest(row)
    })

  return {
    async ask(fence, { params, needs, ...rest }, looker) {
      const draft = { ...rest, params: cleanParams(params), needs: [...needs] }
      return transactions.write('ask', (write) => ask(write, fence, draft, limits, looker))
    },

    async notify(fence, method, params, key) {
      const message = { method, params: cleanParams(params), ...(key !== undefined && { key }) }
      return transactions.write('notify', (write) => notify(write, fence, message, limits))
    },

    async claim(taskId, owner, claimant, place, left) {
      if (left?.removed) return undefined
      const looker = { ...claimant, owner, place }
      const known = left && seen(left, looker)
      if (known !== undefined) return known
      const { request } = left ?? {}
      if (request?.state === 'pending' && canAnswer(claimant, request)) {
        return transactions.write('claim', (write) => lookAndClaim(write, taskId, looker))
      }
      for (;;) {
        const found = await transactions.read((tx) => look(tx, taskId, looker))
        if (found === undefined) return undefined
        if (!isExpired(found.task, Date.now())) {
          if (!found.messages.some((message) => message.kind === 'request')) return asSnapshot(found)
          return transactions.write('claim', (write) => lookAndClaim(write, taskId, looker))
        }
        await transactions.write('expire', (write) => current(write, taskId))
      }
    },

    async take(requestId, owner, claimant, onlyPending = false) {
      return transactions.write('take', async (write) => {
        const found = await openRequest(write, requestId, owner)
        if (found === undefined || !canAnswer(claimant, found.request)) return undefined
        if (found.request.claimedBy === claimant.connection) return toRequest(found.request)
        if (onlyPending && found.request.state !== 'pending') return undefined
        const held = hold(write, found.request, claimant)
        saveRequests(write, found.task, [held])
        return held
      })
    },

    async answer(requestId, owner, answer) {
      const cleaned = (outcome: Outcome): Outcome => plainJson(outcome, '', limits.bytes).value as unknown as Outcome
      const kept = (outcome: Outcome): Outcome => {
        try {
          return cleaned(outcome)
        } catch (error) {
          return { error: toErrorObject(error) }
        }
      }
      const make = typeof answer === 'function' ? answer : undefined
      const given = typeof answer === 'function' ? undefined : cleaned(answer)
      return transactions.write('answer', async (write) => {
        const found = await openRequest(write, requestId, owner)
        if (found === undefined) return false
        const { request, task } = found
        const made = make?.(toRequest(request))
        const outcome = made === undefined ? given : kept(made)
        if (outcome === undefined) return false
        settle(write, task, request, outcome)
        return true
      })
    },

    async refuse(requestId, owner, connection, refusal) {
      const why = plainJson(refusal, 'answer', limits.bytes).value as unknown as typeof refusal
      return note('refuse', requestId, owner, (row, now) => refused(row, connection, why, now))
    },

    host: (requestId, owner, connection, taskId) =>
      note('host', requestId, owner, (row, now) => hosted(row, connection, taskId, now)),

    async giveBack(connection, which) {
      const given = ({ requestId, hosted: by }: StoredRequest): boolean => {
        if (which === undefined) return true
        return 'only' in which ? which.only.includes(requestId) : by === undefined && !which.except.includes(requestId)
      }
      await transactions.write('give-back', (write) => giveBack(write, connection, given, which === undefined))
    },

    async open(of) {
      return transactions.read(async (tx) => {
        const found: RequestRecord[] = []
        for (const range of await openRanges(tx, of)) {
          for await (const request of openRequests(tx, range)) found.push(toRequest(request))
        }
        return found.sort((a, b) => a.enqueuedAt - b.enqueuedAt)
      })
    },

    async request(taskId, requestId) {
      const row = await transactions.read((tx) => findRequest(tx, requestId))
      return row?.taskId === taskId ? toRequest(row) : undefined
    }
  }
}

/** The request while it may be answered; a task that overran its ttl is failed first, which withdraws it. */
async function openRequest(
  write: Write,
  requestId: string,
  owner: string
): Promise<{ request: StoredRequest; task: StoredTask } | undefined> {
  const [found, task] = await Promise.all([findRequest(write.tx, requestId), current(write, taskIdOf(requestId))])
  if (found?.openTask === undefined || found.owner !== owner) return undefined
  return task === undefined || isFinal(task) ? undefined : { request: found, task }
}

function settle(write: Write, task: StoredTask, request: StoredRequest, outcome: Outcome): void {
  const row = closed(request, 'answered', write.now, outcome)
  write.put('messages', row)
  answeredOne(task, row)
  save(write, task, { request: row })
}

async function giveBack(
  write: Write,
  connection: string,
  given: (row: StoredRequest) => boolean,
  gone: boolean
): Promise<void> {
  const { tx } = write
  const tasks = new Set<string>()
  const lost: StoredRequest[] = []
  for (const row of await tx.objectStore('messages').index('claimedBy').getAll(connection)) {
    if (row.kind !== 'request' || !given(row)) continue
    if (gone && row.once) {
      lost.push(row)
      continue
    }
    write.put('messages', freed(row))
    tasks.add(row.taskId)
  }
  for (const taskId of tasks) {
    const task = await tx.objectStore('tasks').get(taskId)
    if (task !== undefined) save(write, task)
    // Anybody may show them now: whoever waits looks for all that is pending.
    write.changed(taskId)
  }
  for (const row of lost) {
    const { task } = (await openRequest(write, row.requestId, row.owner)) ?? {}
    if (task !== undefined) settle(write, task, row, pageGone(row))
  }
}

/** Null is everybody's; none when there is no such task. */
async function openRanges(
  tx: ReadTx,
  { owner, taskId }: Parameters<MessageQueue['open']>[0]
): Promise<(IDBKeyRange | null)[]> {
  const owners = owner === undefined ? undefined : [owner].flat().toSorted()
  if (taskId === undefined) return owners?.map((each) => startingWith(each)) ?? [null]
  const task = await tx.objectStore('tasks').get(taskId)
  if (task === undefined || owners?.includes(task.owner) === false) return []
  return [startingWith(task.owner, task.taskId)]
}
