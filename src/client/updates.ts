// Task updates that a Client hears, for any number of listeners. The SDK has one handler per notification, which is the
// app's; so we listen at the transport, before it.

import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { type TaskInfo, taskInfo } from './task-info.js'

type Listener = (task: TaskInfo) => void

interface Updates {
  transport: Transport | undefined
  listeners: Set<Listener>
}

const known = new WeakMap<Client, Updates>()

/** Calls back with every notifications/tasks/status that the client gets; returns the way to stop. */
export function onTaskUpdate(client: Client, listener: Listener): () => void {
  const updates = known.get(client) ?? { transport: undefined, listeners: new Set() }
  known.set(client, updates)
  tap(client, updates)
  updates.listeners.add(listener)
  return () => updates.listeners.delete(listener)
}

/** A client that connected anew has another transport. */
function tap(client: Client, updates: Updates): void {
  const transport = client.transport
  if (transport === undefined || transport === updates.transport) return
  updates.transport = transport
  const { onmessage } = transport
  transport.onmessage = (message, extra) => {
    onmessage?.(message, extra)
    if (!('method' in message) || message.method !== 'notifications/tasks/status') return
    const task = taskInfo(message.params)
    if (task !== undefined) for (const listener of updates.listeners) listener(task)
  }
}
