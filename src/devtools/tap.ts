// Between a client and its transport: messages are heard, or held back, while somebody wants that. Before and after,
// nothing is in their way.

import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { tapped } from '../client/tap.js'
import type { ConnectedClient } from '../protocol/connected-client.js'

export type Way = 'sent' | 'received'

export interface Tap {
  heard?(way: Way, message: JSONRPCMessage): void
  /** A message that is sent waits for this. */
  hold?(message: JSONRPCMessage): Promise<void> | undefined
}

/** On this connection of the client and on later ones; returns the way to stop. */
export function tap(client: ConnectedClient, { heard, hold }: Tap): () => void {
  let last: Transport | undefined
  let undo = (): void => undefined

  const attach = (): void => {
    const transport = client.transport as Transport | undefined
    if (transport === undefined || transport === last) return
    last = transport
    let isOver = false
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
    undo = () => {
      isOver = true
      // Where somebody else has come over it, it stays and does nothing.
      if (transport.send === sending) transport.send = send
      if (transport.onmessage === receiving && onmessage !== undefined) transport.onmessage = onmessage
    }
  }

  const { watches } = tapped(client)
  const again = async (): Promise<void> => attach()
  watches.add(again)
  attach()
  return () => {
    watches.delete(again)
    undo()
  }
}
