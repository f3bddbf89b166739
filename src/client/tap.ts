// Notifications that a Client hears, for any number of listeners. The SDK has one handler per notification, which is the
// app's; so we listen at the transport, before it.

import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { toError } from '../errors.js'
import type { ConnectedClient } from '../protocol/connected-client.js'

/** Hears each notification of the server. */
type NotificationListener = (method: string, params: Record<string, unknown> | undefined) => void

interface Updates {
  transport: Transport | undefined
  listeners: Set<NotificationListener>
  /** Ask the server, on each connection, to tell more. */
  watches: Set<(client: ConnectedClient) => Promise<void>>
  /** What the client and the listeners get of a message, if anything. */
  filter?: (message: JSONRPCMessage) => JSONRPCMessage | undefined
}

const known = new WeakMap<object, Updates>()

/** Calls back with every notification, whatever handler the app has for it; returns the way to stop. */
export function hear(client: ConnectedClient, listener: NotificationListener): () => void {
  const updates = tapped(client)
  updates.listeners.add(listener)
  return () => updates.listeners.delete(listener)
}

export function tapped(client: ConnectedClient): Updates {
  const updates = known.get(client) ?? follow(client)
  tap(client, updates)
  return updates
}

/** From now on each transport that the client connects to is heard, and asked for what the last one was asked for. */
function follow(client: ConnectedClient): Updates {
  const updates: Updates = { transport: undefined, listeners: new Set(), watches: new Set() }
  known.set(client, updates)
  const { connect } = client
  client.connect = async (...args) => {
    await connect.apply(client, args)
    tap(client, updates)
    for (const watch of updates.watches) await watch(client)
  }
  return updates
}

function tap(client: ConnectedClient, updates: Updates): void {
  const transport = client.transport as Transport | undefined
  if (transport === undefined || transport === updates.transport) return
  updates.transport = transport
  const { onmessage } = transport
  transport.onmessage = (given, extra) => {
    const message = updates.filter ? updates.filter(given) : given
    if (message === undefined) return
    onmessage?.(message, extra)
    if ('method' in message && !('id' in message)) tell(client, updates, message.method, message.params)
  }
}

export function tell(
  client: ConnectedClient,
  { listeners }: Updates,
  method: string,
  params: Record<string, unknown> | undefined
): void {
  for (const listener of listeners) {
    // What one of them throws keeps nothing from the others, nor from the server an acknowledgement.
    try {
      listener(method, params)
    } catch (error) {
      client.onerror?.(toError(error))
    }
  }
}
