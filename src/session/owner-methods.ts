// What intab's own tab functions ask beyond the protocol: questions of the owner, taking one over, deleting.

import * as z from 'zod'
import { invalidParams } from '../errors.js'
import { isSleep } from '../ids.js'
import { type Run, runsOf } from '../record-changes.js'
import { type ExportedTask, fileVersion, toFile } from '../task-file.js'
import { isFinal } from '../tasks/status.js'
import type { JsonObject, MessageRecord, RequestRecord, StepRecord, TaskRows } from '../types.js'
import type { Incoming, Method, Reply } from './dispatcher.js'
import { type Hub, ownTask } from './hub.js'
import { parseParams } from './parse-params.js'
import { projectTask } from './project-task.js'
import type { Session } from './session.js'
import { taskNotFound } from './task-methods.js'

const byTask = z.object({ taskId: z.string() })
export const byRequest = z.object({ requestId: z.string() })

const iso = (time: number): string => new Date(time).toISOString()

/** A question as its owner may see it. */
export const showQuestion = ({ connection }: Session, row: RequestRecord): JsonObject => ({
  requestId: row.requestId,
  taskId: row.taskId,
  method: row.method,
  params: row.params,
  enqueuedAt: iso(row.enqueuedAt),
  here: row.claimedBy === connection,
  shown: row.state === 'delivered',
  ...(row.state === 'delivered' && row.deliveredAt !== undefined && { shownSince: iso(row.deliveredAt) })
})

export function ownerMethods(hub: Hub, session: Session): [string, Method][] {
  const { owner } = session

  const show = (row: RequestRecord): JsonObject => showQuestion(session, row)

  const list = async (): Promise<Reply> => {
    const open = await hub.messages.open({ owner })
    return { result: { questions: open.filter(({ lent }) => !lent).map(show) } }
  }

  const take = async ({ params, id }: Incoming): Promise<Reply> => {
    const { requestId } = parseParams(byRequest, params)
    const taken = await hub.messages.take(requestId, owner, session.claimant)
    if (taken === undefined) {
      throw invalidParams(`No open question ${requestId} that this client could answer`)
    }
    // The client that holds it already may have lost its form: it lets go of the question, and is asked anew.
    if (session.held.has(requestId)) session.withdraw(requestId, 'The question is shown again')
    // Where nothing else reaches the client, it is asked on the stream of this request.
    await session.deliver(taken, session.reachable ? undefined : id)
    return { result: show(taken) }
  }

  const remove = async (params: JsonObject): Promise<Reply> => {
    const { taskId } = parseParams(byTask, params)
    if ((await ownTask(hub, owner, taskId)) === undefined) throw taskNotFound(taskId)
    return gone(await hub.tasks.remove(owner, taskId))
  }

  const forget = async (): Promise<Reply> => gone(await hub.tasks.remove(owner))

  const gone = (removed: string[]): Reply => {
    for (const taskId of removed) hub.runner.observe(taskId, undefined)
    return { result: { removed } }
  }

  const rowsOf = async (params: JsonObject): Promise<TaskRows> => {
    const { taskId } = parseParams(byTask, params)
    const rows = (await ownTask(hub, owner, taskId)) && (await hub.tasks.rows(taskId))
    if (rows === undefined) throw taskNotFound(taskId)
    return rows
  }

  const read = async (params: JsonObject): Promise<Reply> => {
    const rows = await rowsOf(params)
    const shown = projectTask(rows.task) as unknown as JsonObject
    const { call, messages, steps, task } = rows
    const told = messages.map((row) => tell(session, row))
    const history = { runs: runsOf(task).map(tellRun), steps: steps.map(tellStep) }
    return { result: { task: shown, seq: task.seq, arguments: call.arguments, messages: told, ...history } }
  }

  const exportTask = async (params: JsonObject): Promise<Reply> => {
    const rows = await rowsOf(params)
    const { taskId, messageCount } = rows.task
    // A look of one that can show nothing claims nothing, and fetches no result.
    const looker = { connection: session.connection, can: [] }
    const outcome = isFinal(rows.task.status)
      ? (await hub.messages.claim(taskId, owner, looker, messageCount))?.outcome
      : undefined
    const exported: ExportedTask = { version: fileVersion, exportedAt: Date.now(), task: toFile(rows, outcome) }
    return { result: exported as unknown as JsonObject }
  }

  const watch = async (): Promise<Reply> => {
    session.watches = true
    return { result: {} }
  }

  return [
    ['intab/watch', { answer: watch }],
    ['intab/tasks/read', { answer: ({ params }) => read(params) }],
    ['intab/tasks/export', { answer: ({ params }) => exportTask(params) }],
    ['intab/questions/list', { answer: list }],
    ['intab/questions/take', { answer: take }],
    ['intab/tasks/delete', { answer: ({ params }) => remove(params) }],
    ['intab/forget', { answer: forget }]
  ]
}

/** A message as its owner may see it; connections stay with the worker. */
function tell({ connection }: Session, row: MessageRecord): JsonObject {
  const { n, method, params, enqueuedAt } = row
  const message = { n, method, params, enqueuedAt: iso(enqueuedAt) }
  if (row.kind === 'notification') return message
  const { requestId, state, deliveredAt, closedAt, tab, answer, claimedBy = row.closedIn } = row
  return {
    ...message,
    requestId,
    state,
    ...(deliveredAt !== undefined && { deliveredAt: iso(deliveredAt) }),
    ...(closedAt !== undefined && { closedAt: iso(closedAt) }),
    ...(claimedBy !== undefined && { here: claimedBy === connection }),
    ...(tab !== undefined && { tab }),
    ...(answer !== undefined && { answer: { ...answer } as unknown as JsonObject })
  }
}

const tellRun = ({ startedAt, endedAt, ...run }: Run): JsonObject => ({
  ...run,
  startedAt: iso(startedAt),
  ...(endedAt !== undefined && { endedAt: iso(endedAt) })
})

/** Without its value, which may be large. */
const tellStep = ({ key, at, value }: StepRecord): JsonObject => ({
  key,
  ...(at !== undefined && { at: iso(at) }),
  ...(isSleep(key) && { until: iso(Number(value)) })
})
