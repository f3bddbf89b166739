// The owner's tasks, as a list and as things to delete.

import type { Task } from '@modelcontextprotocol/sdk/types.js'
import { ask, type ConnectedClient, isModern } from '../protocol/connected-client.js'
import { type TaskInfo, taskInfo } from './task-info.js'

/** Options of `listTasks`. */
export interface ListTasksOptions {
  /** By creation. Default `oldest` first. */
  order?: 'oldest' | 'newest'
  /** Only tasks with one of these statuses. */
  status?: Task['status'][]
  /** `nextCursor` of the page before. */
  cursor?: string
}

/** One page of the owner's tasks, of every tab. Rejects with -32602 for a cursor that the server did not make. */
export async function listTasks(
  client: ConnectedClient,
  { cursor, ...query }: ListTasksOptions = {}
): Promise<{ tasks: TaskInfo[]; nextCursor?: string }> {
  const _meta = Object.keys(query).length > 0 ? { _meta: { 'intab/list': query } } : {}
  const params = { ...(cursor !== undefined && { cursor }), ..._meta }
  const result = await ask(client, isModern(client) ? 'intab/tasks/list' : 'tasks/list', params)
  const listed = Array.isArray(result.tasks) ? result.tasks : []
  const tasks = listed.map(taskInfo).filter((task) => task !== undefined)
  return typeof result.nextCursor === 'string' ? { tasks, nextCursor: result.nextCursor } : { tasks }
}

/** Deletes a task with all that belongs to it; one that runs is stopped. Rejects with -32602 when there is no such task. */
export async function deleteTask(client: ConnectedClient, taskId: string): Promise<void> {
  await ask(client, 'intab/tasks/delete', { taskId })
}

/** Deletes all tasks of the owner: sign-out. */
export async function forget(client: ConnectedClient): Promise<void> {
  await ask(client, 'intab/forget')
}
