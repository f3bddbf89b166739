// subscriptions/listen for the tab's functions: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions

import { asLongAsItTakes, type ConnectedClient } from '../../protocol/connected-client.js'
import { askWith, type Hook } from './hook.js'

type Filter = Record<string, unknown>

export interface Listening {
  /** What the server honours of the filter; rejects with its error. */
  acknowledged: Promise<Filter>
  /** Settles when the server or the connection ended it, or the signal aborted. */
  ended: Promise<unknown>
}

/** `send` says what the client declares. */
export function listenTo(
  client: ConnectedClient,
  notifications: Filter,
  { send, heard, signal }: Required<Pick<Hook, 'send' | 'heard'>> & { signal: AbortSignal }
): Listening {
  let ended: Promise<unknown> = Promise.resolve()
  const acknowledged = new Promise<Filter>((resolve, reject) => {
    const hook: Hook = {
      send,
      heard(method, params) {
        if (method !== 'notifications/subscriptions/acknowledged') heard(method, params)
        else resolve((params.notifications ?? {}) as Filter)
      }
    }
    const options = { timeout: asLongAsItTakes, signal }
    ended = askWith(client, hook, 'subscriptions/listen', { notifications }, options).then(() => resolve({}), reject)
  })
  return { acknowledged, ended }
}
