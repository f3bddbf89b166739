// Ids that outlive the worker that made them, and what can be read off them.

import type { JsonObject } from './records.js'

/** The owner of all tasks where the server is not told of users. */
export const everybody = 'everybody'

/** The JSON-RPC id of a task's question: the same on every screen and in every worker. */
export const newRequestId = (taskId: string): string => `task:${taskId}:${crypto.randomUUID()}`

/** True for the id of a task's question. All other requests of a server die with their worker. */
export const isTaskRequestId = (id: unknown): id is string => typeof id === 'string' && id.startsWith('task:')

/** True for the key of a sleep among a task's steps, whose value is when it ends. */
export const isSleep = (key: string): boolean => /^sleep[:#]/.test(key)

/** The tool that a call names. */
export const toolNameOf = ({ name }: JsonObject): string => (typeof name === 'string' ? name : '')

/** The task that asked the question with this id. */
export const taskIdOf = (requestId: string): string => requestId.slice('task:'.length, requestId.lastIndexOf(':'))
