// tasks/get, tasks/result, tasks/list, tasks/cancel: https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#protocol-messages

import * as z from 'zod'
import { invalidParams, RpcError } from '../errors.js'
import { cancelledEnd } from '../tasks/outcome.js'
import { awaitOutcome } from '../tasks/result-loop.js'
import type { JsonObject, TaskRecord } from '../types.js'
import type { Method, Reply } from './dispatcher.js'
import { type Hub, ownTask } from './hub.js'
import { decodeCursor, encodeCursor } from './list-cursor.js'
import { parseParams } from './parse-params.js'
import { projectTask, withRelatedTask } from './project-task.js'
import type { Session } from './session.js'

const byId = z.object({ taskId: z.string() })
const resultParams = z.object({
  taskId: z.string(),
  _meta: z.looseObject({ 'intab/seen': z.number().int().nonnegative().optional() }).optional()
})
const status = z.enum(['working', 'input_required', 'completed', 'failed', 'cancelled'])
const listParams = z.object({
  cursor: z.string().optional(),
  _meta: z
    .looseObject({
      'intab/list': z
        .object({ order: z.enum(['oldest', 'newest']).optional(), status: z.array(status).min(1).optional() })
        .optional()
    })
    .optional()
})

export const taskNotFound = (taskId: string): RpcError => invalidParams(`Task not found: ${taskId}`)

const shown = (task: TaskRecord): JsonObject => projectTask(task) as unknown as JsonObject

export function taskMethods(hub: Hub, session: Session): [string, Method][] {
  const { owner } = session

  const get = async (params: JsonObject): Promise<Reply> => {
    const { taskId } = parseParams(byId, params)
    const task = await ownTask(hub, owner, taskId)
    if (task === undefined) throw taskNotFound(taskId)
    return { result: shown(task) }
  }

  const list = async (params: JsonObject): Promise<Reply> => {
    const { cursor, _meta } = parseParams(listParams, params)
    const { order = 'oldest', status: only } = _meta?.['intab/list'] ?? {}
    const page = await hub.tasks.list(owner, {
      order,
      limit: hub.limits.page,
      ...(only !== undefined && { status: only }),
      ...(cursor !== undefined && { after: decodeCursor(cursor) })
    })
    const next = page.next === undefined ? {} : { nextCursor: encodeCursor(page.next) }
    return { result: { tasks: page.tasks.map(shown), ...next, _meta: {} } }
  }

  const cancel = async (params: JsonObject): Promise<Reply> => {
    const { taskId } = parseParams(byId, params)
    const task = await ownTask(hub, owner, taskId)
    if (task === undefined) throw taskNotFound(taskId)
    const ended = await hub.tasks.finish({ taskId }, cancelledEnd)
    if (ended === undefined) {
      const now = await ownTask(hub, owner, taskId)
      if (now === undefined) throw taskNotFound(taskId)
      throw invalidParams(`Cannot cancel task in terminal status: ${now.status}`)
    }
    hub.runner.observe(taskId, ended)
    hub.emit({ type: 'finished', task: ended })
    return { result: shown(ended) }
  }

  return [
    ['tasks/get', { answer: ({ params }) => get(params) }],
    ['tasks/list', { answer: ({ params }) => list(params) }],
    ['tasks/cancel', { answer: ({ params }) => cancel(params) }],
    ['tasks/result', { answer: (request) => result(hub, session, request) }]
  ]
}

async function result(hub: Hub, session: Session, request: Parameters<Method['answer']>[0]): Promise<Reply> {
  const { taskId, _meta } = parseParams(resultParams, request.params)
  session.moveTo(taskId, _meta?.['intab/seen'] ?? 0)
  const reply = await outcomeFor(hub, session, request, taskId)
  return { ...reply, result: withRelatedTask(reply.result, taskId) }
}

/** Waits for a task on the stream of a request; resolves with its result, throws its error. All are told of its end first. */
export async function outcomeFor(
  hub: Hub,
  session: Session,
  { id, signal }: Pick<Parameters<Method['answer']>[0], 'id' | 'signal'>,
  taskId: string
): Promise<Reply> {
  const { task, outcome } = await awaitOutcome(hub, {
    taskId,
    owner: session.owner,
    claimant: () => session.claimant,
    place: session.place(taskId),
    send: (message) => session.deliver(message, id),
    giveBack: () => hub.messages.giveBack(session.connection, { except: [...session.held.keys()] }),
    signal
  })
  hub.fetched(taskId)
  if ('result' in outcome) return { result: outcome.result, first: () => hub.announce(task) }
  hub.announce(task)
  const { code, message, data } = outcome.error
  throw new RpcError(code, message, data)
}
