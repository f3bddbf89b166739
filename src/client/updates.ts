// Task updates that a Client hears, for any number of listeners. The SDK has one handler per notification, which is the
// app's; so we listen at the transport, before it.

import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { hasCode, RPC, toError } from '../errors.js'
import { type TaskInfo, taskInfo } from './task-info.js'

/** Given to `watchTasks`. */
export interface TaskListener {
  /** Called with the task after each change that this client hears of. */
  ontask(task: TaskInfo): void
  /** Called when a task was deleted, by whomever, or its retention passed. */
  onremoved?(taskId: string): void
}

/** Hears each notification of the server. */
type NotificationListener = (method: string, params: Record<string, unknown> | undefined) => void

interface Updates {
  transport: Transport | undefined
  listeners: Set<NotificationListener>
  /** Those that want more than the protocol tells. */
  watchers: Set<TaskListener>
}

const known = new WeakMap<Client, Updates>()

/**
 * Calls back with every change of every task of the owner: status, message, progress, deletion. Resolves with the way
 * to stop. A server that is not intab's tells of status only. What a listener throws goes to `client.onerror`.
 */
export async function watchTasks(client: Client, listener: TaskListener): Promise<() => void> {
  const unlisten = listen(client, listener)
  const watchers = known.get(client)?.watchers
  const stop = (): void => {
    unlisten()
    watchers?.delete(listener)
  }
  watchers?.add(listener)
  try {
    await watch(client)
  } catch (error) {
    stop()
    throw error
  }
  return stop
}

async function watch(client: Client): Promise<void> {
  try {
    await client.request({ method: 'intab/watch' }, ResultSchema)
  } catch (error) {
    if (!hasCode(error, RPC.methodNotFound)) throw error
  }
}

/** Calls back with what the client hears anyhow; returns the way to stop. */
export function listen(client: Client, listener: TaskListener): () => void {
  return hear(client, (method, params) => {
    if (method === 'notifications/intab/removed') listener.onremoved?.(String(params?.taskId))
    if (method !== 'notifications/tasks/status' && method !== 'notifications/intab/task') return
    const task = taskInfo(params)
    if (task !== undefined) listener.ontask(task)
  })
}

/** Calls back with every notification, whatever handler the app has for it; returns the way to stop. */
export function hear(client: Client, listener: NotificationListener): () => void {
  const updates = known.get(client) ?? follow(client)
  tap(client, updates)
  updates.listeners.add(listener)
  return () => updates.listeners.delete(listener)
}

/** From now on each transport that the client connects to is heard, and asked for what the last one was asked for. */
function follow(client: Client): Updates {
  const updates: Updates = { transport: undefined, listeners: new Set(), watchers: new Set() }
  known.set(client, updates)
  const { connect } = client
  client.connect = async (...args) => {
    await connect.apply(client, args)
    if (updates.listeners.size > 0) tap(client, updates)
    if (updates.watchers.size > 0) await watch(client)
  }
  return updates
}

function tap(client: Client, updates: Updates): void {
  const { transport } = client
  if (transport === undefined || transport === updates.transport) return
  updates.transport = transport
  const { onmessage } = transport
  transport.onmessage = (message, extra) => {
    onmessage?.(message, extra)
    if (!('method' in message) || 'id' in message) return
    for (const listener of updates.listeners) {
      // What one of them throws keeps nothing from the others, nor from the server an acknowledgement.
      try {
        listener(message.method, message.params)
      } catch (error) {
        client.onerror?.(toError(error))
      }
    }
  }
}
