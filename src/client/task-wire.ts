// What a run of a task asks of the server, in either revision of the protocol.

import { IntabError } from '../errors.js'
import { ask, asLongAsItTakes, callResult, type ConnectedClient, isModern } from '../protocol/connected-client.js'
import { modern } from './era.js'
import { type TaskInfo, taskInfo, type TaskWire } from './task-info.js'
import { listen } from './updates.js'

export const taskWire = async (client: ConnectedClient): Promise<TaskWire> =>
  isModern(client) ? (await modern()).modernTasks(client) : sessionTasks(client)

/** https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks */
function sessionTasks(client: ConnectedClient): TaskWire {
  const about = (method: string, taskId: string): Promise<TaskInfo> =>
    ask(client, method, { taskId }).then((task) => taskOf(task, taskId))
  return {
    async start({ name, arguments: args = {}, _meta }, { ttl, onprogress }) {
      const params = { name, arguments: args, task: ttl === undefined ? {} : { ttl }, ...(_meta && { _meta }) }
      const task = taskOf((await ask(client, 'tools/call', params, onprogress && { onprogress })).task, name)
      if (onprogress && client.getProtocolEra) await (await modern()).tellProgress(client, task, onprogress)
      return task
    },
    get: (taskId) => about('tasks/get', taskId),
    cancel: (taskId) => about('tasks/cancel', taskId),
    outcome(taskId, ontask, signal) {
      const stop = listen(client, { ontask })
      const options = { timeout: asLongAsItTakes, ...(signal && { signal }) }
      return ask(client, 'tasks/result', { taskId }, options).then(callResult).finally(stop)
    }
  }
}

function taskOf(value: unknown, of: string): TaskInfo {
  const task = taskInfo(value)
  if (task !== undefined) return task
  throw new IntabError('invalid_options', `The server sent no task for ${of}`)
}
