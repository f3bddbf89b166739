// Between a client and its transport: messages are heard, or held back, while somebody wants that. Before and after,
// nothing is in their way.

import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'

export type Way = 'sent' | 'received'

export interface Tap {
  heard?(way: Way, message: JSONRPCMessage): void
  /** A message that is sent waits for this. */
  hold?(message: JSONRPCMessage): Promise<void> | undefined
}

/** On this connection of the client and on later ones; returns the way to stop. */
export function tap(client: Client, { heard, hold }: Tap): () => void {
  let isOver = false
  const tapped = new WeakSet<Transport>()
  const undo = new Set<() => void>()

  const attach = (): void => {
    const { transport } = client
    if (transport === undefined || tapped.has(transport)) return
    tapped.add(transport)
    const { send, onmessage } = transport
    const sending: Transport['send'] = async (message, options) => {
      if (!isOver) {
        heard?.('sent', message)
        await hold?.(message)
      }
      return send.call(transport, message, options)
    }
    const receiving: NonNullable<Transport['onmessage']> = (message, extra) => {
      if (!isOver) heard?.('received', message)
      onmessage?.(message, extra)
    }
    transport.send = sending
    transport.onmessage = receiving
    undo.add(() => {
      // Where somebody else has come over it, it stays and does nothing.
      if (transport.send === sending) transport.send = send
      if (transport.onmessage === receiving && onmessage !== undefined) transport.onmessage = onmessage
    })
  }

  const { connect } = client
  const connecting: Client['connect'] = async (...args) => {
    await connect.apply(client, args)
    if (!isOver) attach()
  }
  client.connect = connecting
  undo.add(() => {
    if (client.connect === connecting) client.connect = connect
  })
  attach()
  return () => {
    isOver = true
    for (const act of undo) act()
  }
}
