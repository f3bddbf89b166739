// Task updates that a Client hears, for any number of listeners.

import { hasCode, RPC } from '../errors.js'
import { ask, type ConnectedClient, isModern } from '../protocol/connected-client.js'
import { modern } from './era.js'
import { hear, tapped } from './tap.js'
import { type TaskInfo, taskInfo } from './task-info.js'

/** Given to `watchTasks`. */
export interface TaskListener {
  /** Called with the task after each change. */
  ontask(task: TaskInfo): void
  /** Called when a task was deleted, by any tab or because its ttl ended. */
  onremoved?(taskId: string): void
}

/**
 * Calls back with every change of every task of the owner: status, message, progress, deletion. Resolves with a function
 * that stops it. Servers other than intab's send status changes only. Errors of a listener go to `client.onerror`.
 */
export async function watchTasks(client: ConnectedClient, listener: TaskListener): Promise<() => void> {
  const stop = listen(client, listener)
  try {
    await watch(client)
  } catch (error) {
    stop()
    throw error
  }
  tapped(client).watches.add(watch)
  return stop
}

async function watch(client: ConnectedClient): Promise<void> {
  if (isModern(client)) return (await modern()).watchAll(client)
  try {
    await ask(client, 'intab/watch')
  } catch (error) {
    if (!hasCode(error, RPC.methodNotFound)) throw error
  }
}

/** Calls back with what the client hears anyhow; returns the way to stop. */
export function listen(client: ConnectedClient, listener: TaskListener): () => void {
  return hear(client, (method, params) => {
    if (method === 'notifications/intab/removed') listener.onremoved?.(String(params?.taskId))
    if (method !== 'notifications/tasks/status' && method !== 'notifications/intab/task') return
    const task = taskInfo(params)
    if (task !== undefined) listener.ontask(task)
  })
}

/** Calls back when the server's list of tools has changed; resolves with the way to stop. */
export async function watchTools(client: ConnectedClient, onchange: () => void): Promise<() => void> {
  const stop = hear(client, (method) => {
    if (method === 'notifications/tools/list_changed') onchange()
  })
  // In the revision before, every client is told.
  const watchList = async (): Promise<void> => {
    if (isModern(client)) await (await modern()).watchTools(client)
  }
  try {
    await watchList()
  } catch (error) {
    stop()
    throw error
  }
  tapped(client).watches.add(watchList)
  return () => {
    stop()
    tapped(client).watches.delete(watchList)
  }
}
