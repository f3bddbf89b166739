import type {
  QueuedMessage,
  TaskMessageQueue,
  TaskStore
} from '@modelcontextprotocol/sdk/experimental/tasks/interfaces.js'
import type { Request, Result, Task } from '@modelcontextprotocol/sdk/types.js'

/** A TaskStore of the SDK's with the two methods that its own store has beyond the interface. */
export interface FullTaskStore extends TaskStore {
  getAllTasks(): Task[] | Promise<Task[]>
  cleanup(): void | Promise<void>
}

/** Makes one that is empty. */
export type NewStore = () => FullTaskStore
export type NewQueue = () => TaskMessageQueue

export const call: Request = { method: 'tools/call', params: { name: 'pack', arguments: { shelf: 3 } } }

export const create = (store: TaskStore, ttl?: number | null, sessionId?: string): Promise<Task> =>
  store.createTask(ttl === undefined ? {} : { ttl }, 7, call, sessionId)

export async function createMany(store: TaskStore, count: number, sessionId?: string): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) ids.push((await create(store, undefined, sessionId)).taskId)
  return ids
}

export const text = (words: string): Result => ({ content: [{ type: 'text', text: words }] })

export const request = (n: number): QueuedMessage => ({
  type: 'request',
  message: { jsonrpc: '2.0', id: n, method: 'elicitation/create', params: { message: `question ${n}` } },
  timestamp: 1_000 + n
})

export const notification = (n: number): QueuedMessage => ({
  type: 'notification',
  message: { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: { n } } },
  timestamp: 1_000 + n
})

export const response = (n: number): QueuedMessage => ({
  type: 'response',
  message: { jsonrpc: '2.0', id: n, result: { action: 'accept', content: { n } } },
  timestamp: 1_000 + n
})

export const failure = (n: number): QueuedMessage => ({
  type: 'error',
  message: { jsonrpc: '2.0', id: n, error: { code: -32_000 - n, message: 'no', data: { n } } },
  timestamp: 1_000 + n
})
