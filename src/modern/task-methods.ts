// tasks/get, tasks/update, tasks/cancel of the extension io.modelcontextprotocol/tasks.

import { invalidParams, type RpcError } from '../errors.js'
import type { JsonObject } from '../types.js'
import { type Envelope, needTasks } from './envelope.js'
import type { ModernHost } from './host.js'
import { answer, answersIn, detail } from './questions.js'

type TaskMethod = (host: ModernHost, params: JsonObject, envelope: Envelope) => Promise<JsonObject>

/** -32021 comes before -32602: whoever does not know tasks learns nothing of their ids. */
function taskIdIn({ taskId }: JsonObject, envelope: Envelope): string {
  needTasks(envelope)
  if (typeof taskId === 'string') return taskId
  throw invalidParams('Invalid params: taskId must be a string')
}

const notFound = (taskId: string): RpcError => invalidParams(`Task not found: ${taskId}`)

export const taskMethods: ReadonlyMap<string, TaskMethod> = new Map(
  Object.entries<TaskMethod>({
    async 'tasks/get'(host, params, envelope) {
      const taskId = taskIdIn(params, envelope)
      const found = await detail(host, taskId, envelope.can)
      if (found === undefined) throw notFound(taskId)
      return { ...found.shown }
    },

    async 'tasks/update'(host, params, envelope) {
      const taskId = taskIdIn(params, envelope)
      if (params.inputResponses === undefined) throw invalidParams('Invalid params: inputResponses is missing')
      const answers = answersIn(params)
      if ((await host.task(taskId)) === undefined) throw notFound(taskId)
      await answer(host, await host.messages.open({ taskId }), answers)
      return {}
    },

    /** Acknowledged whatever the task's state: https://modelcontextprotocol.github.io/ext-tasks/specification/2026-07-28/tasks.html#task-cancellation */
    async 'tasks/cancel'(host, params, envelope) {
      const taskId = taskIdIn(params, envelope)
      if ((await host.task(taskId)) === undefined) throw notFound(taskId)
      await host.cancel(taskId)
      return {}
    }
  })
)
