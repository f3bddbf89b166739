// Runs of tasks by the extension io.modelcontextprotocol/tasks of MCP 2026-07-28.
// https://modelcontextprotocol.github.io/ext-tasks/specification/2026-07-28/tasks.html

import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { IntabError, RPC, RpcError, toError } from '../../errors.js'
import { REMOVED } from '../../modern/keys.js'
import { pause } from '../../time.js'
import type { Json, Progress } from '../../types.js'
import { asLongAsItTakes, callResult, type ConnectedClient } from '../../protocol/connected-client.js'
import { isOver, progressOf, type TaskInfo, type TaskWire, type ToolCall } from '../task-info.js'
import { Questions } from './answer-here.js'
import { askWith, withTasks, withTasksOnly } from './hook.js'
import { listenTo } from './listen.js'
import { type ShownTask, shownTask } from './shown-task.js'

/** A call that may come to either: the server alone decides. */
export async function callEither(
  client: ConnectedClient,
  { name, arguments: args = {}, _meta }: ToolCall,
  options: { signal?: AbortSignal; onprogress?: (progress: Progress) => void } = {}
): Promise<{ task: TaskInfo } | { result: CallToolResult }> {
  let shown: ShownTask | undefined
  const params = { name, arguments: args, ...(_meta && { _meta }) }
  const result = await askWith(
    client,
    {
      send: withTasks,
      receive(response) {
        if (!('result' in response) || response.result.resultType !== 'task') return response
        shown = shownTask(response.result)
        return { ...response, result: { resultType: 'complete', content: [] } }
      }
    },
    'tools/call',
    params,
    { timeout: asLongAsItTakes, ...options }
  )
  return shown === undefined ? { result: callResult(result) } : { task: shown.task }
}

/** The task as it is; no question counts as shown by this. */
async function get(client: ConnectedClient, taskId: string): Promise<ShownTask> {
  const shown = shownTask(await askWith(client, { send: withTasksOnly }, 'tasks/get', { taskId }))
  if (shown !== undefined) return shown
  throw new IntabError('invalid_options', `The server sent no task for ${taskId}`)
}

export function modernTasks(client: ConnectedClient, onprogress?: (progress: Progress) => void): TaskWire {
  return {
    async start(call, options) {
      onprogress = options.onprogress
      const ttl = options.ttl === undefined ? {} : { 'intab/ttl': options.ttl }
      const came = await callEither(client, { ...call, _meta: { ...call._meta, ...ttl } })
      if ('task' in came) return came.task
      throw new IntabError(
        'invalid_options',
        `The server ran ${call.name} without a task: call it with agentTools() or client.callTool()`,
        { result: came.result as unknown as Json }
      )
    },
    get: async (taskId) => (await get(client, taskId)).task,
    async cancel(taskId) {
      await askWith(client, { send: withTasksOnly }, 'tasks/cancel', { taskId })
      return (await get(client, taskId)).task
    },
    outcome(taskId, ontask, signal) {
      const tell = onprogress && progressOf(taskId, onprogress)
      return outcome(client, taskId, signal, (task) => {
        tell?.(task)
        ontask(task)
      })
    },
    onover: () => undefined
  }
}

/** By client: the tasks that it follows, once for each run. */
const followed = new WeakMap<object, string[]>()

/** Notes that the client follows a task; returns the way to leave. */
function enter(client: ConnectedClient, taskId: string): () => void {
  const taskIds = followed.get(client) ?? []
  followed.set(client, taskIds)
  taskIds.push(taskId)
  return () => taskIds.splice(taskIds.indexOf(taskId), 1)
}

/** Waits for the end of a task, and answers its questions meanwhile. */
async function outcome(
  client: ConnectedClient,
  taskId: string,
  signal: AbortSignal | undefined,
  ontask: (task: TaskInfo) => void
): Promise<CallToolResult> {
  const leave = enter(client, taskId)
  const leaving = new AbortController()
  const stop = (): void => leaving.abort(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  try {
    signal?.throwIfAborted()
    const end = await new Promise<ShownTask>((resolve, reject) => {
      const questions = new Questions(client, taskId, reject)
      leaving.signal.addEventListener('abort', () => {
        questions.update({ requests: {}, here: [] })
        reject(leaving.signal.reason)
      })
      let newest = ''
      const learn = (shown: ShownTask): void => {
        const { task } = shown
        // What was asked for may come after what was told.
        if (task.lastUpdatedAt < newest) return
        newest = task.lastUpdatedAt
        ontask(task)
        if (isOver(task)) resolve(shown)
        else questions.update(shown)
      }
      follow(client, taskId, { learn, fail: reject, signal: leaving.signal }).catch(reject)
    })
    return await endOf(client, end)
  } finally {
    signal?.removeEventListener('abort', stop)
    leaving.abort()
    leave()
  }
}

/** Answers the questions of a task that come to this client, until it ends; a failure is told to `client.onerror`. */
export function answerFor(client: ConnectedClient, taskId: string): void {
  if (followed.get(client)?.includes(taskId)) return
  outcome(client, taskId, undefined, () => undefined).catch((error: unknown) => client.onerror?.(toError(error)))
}

interface Follower {
  learn(shown: ShownTask): void
  fail(error: Error): void
  signal: AbortSignal
}

/** Listens for as long as the server lets it, and asks from time to time where it does not. */
async function follow(client: ConnectedClient, taskId: string, { learn, fail, signal }: Follower): Promise<void> {
  const heard = (method: string, params: Record<string, unknown>): void => {
    if (method === 'notifications/intab/removed') fail(new RpcError(RPC.invalidParams, `Task not found: ${taskId}`))
    const shown = method === 'notifications/tasks' ? shownTask(params) : undefined
    if (shown?.task.taskId === taskId) learn(shown)
  }
  const filter = { taskIds: [taskId], [REMOVED]: true }
  const { acknowledged, ended } = listenTo(client, filter, { send: withTasks, heard, signal })
  const { taskIds, [REMOVED]: isOurs } = await acknowledged.catch((): Record<string, unknown> => ({}))
  // intab's worker tells the task as it is after the acknowledgement, and so does the next worker.
  if (isOurs === true && Array.isArray(taskIds) && taskIds.length > 0) await ended
  while (!signal.aborted) {
    const shown = await get(client, taskId)
    learn(shown)
    await pause(shown.task.pollInterval ?? 1000, signal)
  }
}

/** Rejects with an error of the task in the client's own class. */
async function endOf(client: ConnectedClient, { task, result, error }: ShownTask): Promise<CallToolResult> {
  if (error !== undefined) {
    await askWith(client, { send: (_, answer) => answer({ error }) }, 'tasks/get', { taskId: task.taskId })
  }
  // As tasks/result of MCP 2025-11-25 has it.
  return callResult(result ?? { isError: true, content: [{ type: 'text', text: 'Task was cancelled' }] })
}
