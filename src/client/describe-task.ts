// All that is stored of one task, for who wants to look into it.

import { IntabError } from '../errors.js'
import type { Outcome, RequestState } from '../types.js'
import { ask, type ConnectedClient } from './client.js'
import { type TaskInfo, taskInfo } from './task-info.js'

/** A question to the client, or a notification: only questions have a `requestId`. */
export interface TaskMessage {
  /** Order within the task, from 1. */
  n: number
  /** Such as `elicitation/create` or `notifications/message`. */
  method: string
  /** The params of the request or notification. */
  params: Record<string, unknown>
  /** ISO 8601. */
  enqueuedAt: string
  /** The id of a question; notifications have none. */
  requestId?: string
  /** Of a question: `pending`, `delivered`, `answered` or `withdrawn`. */
  state?: RequestState
  /** When a tab last showed it; ISO 8601. */
  deliveredAt?: string
  /** The page that runs a call of a tool that tabs lend. */
  tab?: string
  /** What the client answered: its result, or its error. */
  answer?: Outcome
}

/** Resolved by `describeTask`. */
export interface TaskDetails {
  /** The task as it is now. */
  task: TaskInfo
  /** What the tool was called with. */
  arguments: Record<string, unknown>
  /** Creation order within the owner, from 1. */
  seq: number
  /** What the tool asked and told, oldest first. */
  messages: TaskMessage[]
}

/** Reads a task with its call and its messages. Rejects with -32602 when there is no such task. */
export async function describeTask(client: ConnectedClient, taskId: string): Promise<TaskDetails> {
  const result = await ask(client, 'intab/tasks/read', { taskId })
  const task = taskInfo(result.task)
  if (task === undefined) throw new IntabError('invalid_options', `The server sent no task for ${taskId}`)
  return { ...result, task } as unknown as TaskDetails
}
