// All that is stored of one task, for who wants to look into it.

import { IntabError } from '../errors.js'
import type { Outcome, RequestState } from '../types.js'
import { ask, type ConnectedClient } from '../protocol/connected-client.js'
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
  /** When it was answered or withdrawn; ISO 8601. */
  closedAt?: string
  /** True when this tab shows it, or showed it when it was closed; false for another tab; absent when none did. */
  here?: boolean
  /** The page that runs a call of a tool that tabs lend. */
  tab?: string
  /** What the client answered: its result, or its error. */
  answer?: Outcome
}

/** One run of the handler. */
export interface TaskAttempt {
  /** From 1. */
  attempt: number
  /** The worker that it was in. */
  executor: string
  /** ISO 8601. */
  startedAt: string
  /** ISO 8601; when its worker last wrote the task, if that died. Absent while the run goes on. */
  endedAt?: string
  /** The worker made way for a newer version of the app. */
  gaveUp?: true
}

/** What `task.step` or `task.sleep` kept. */
export interface TaskStep {
  /** `step:` and its name, `sleep:` and its key, or `sleep#` and its number. */
  key: string
  /** When it was first kept; ISO 8601. */
  at?: string
  /** When a sleep ends; ISO 8601. */
  until?: string
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
  /** The last 21 runs at most, oldest first; fewer where a worker of before intab kept them ran it. */
  runs: TaskAttempt[]
  /** In order of their keys; none on a server on DBOS, which keeps them in its workflow. */
  steps: TaskStep[]
}

/** Reads a task with its call and its messages. Rejects with -32602 when there is no such task. */
export async function describeTask(client: ConnectedClient, taskId: string): Promise<TaskDetails> {
  const result = await ask(client, 'intab/tasks/read', { taskId })
  const task = taskInfo(result.task)
  if (task === undefined) throw new IntabError('invalid_options', `The server sent no task for ${taskId}`)
  return { ...result, task } as unknown as TaskDetails
}
