// Every task of the owner, told to a client of MCP 2026-07-28: one listen for as long as its connection lives.

import { hasCode, RPC, toError } from '../../errors.js'
import { ALL_TASKS } from '../../modern/keys.js'
import { backOff, pause } from '../../time.js'
import type { ConnectedClient } from '../client.js'
import { withTasksOnly } from './hook.js'
import { listenTo } from './listen.js'
import { asSessionTask } from './shown-task.js'

type Tell = (method: string, params: Record<string, unknown>) => void

/** By client: the connection that listens, and since when. */
const known = new WeakMap<object, { transport: unknown; listening: Promise<void> }>()

/** Resolves once the server tells; also when it is not intab's and tells nothing of its tasks. */
export function watch(client: ConnectedClient, tell: Tell): Promise<void> {
  const { transport } = client
  const before = known.get(client)
  if (before !== undefined && before.transport === transport) return before.listening
  const listening = listen(client, tell)
  known.set(client, { transport, listening })
  listening.catch(() => known.delete(client))
  return listening
}

async function listen(client: ConnectedClient, tell: Tell, tries = 0): Promise<void> {
  const { transport } = client
  const leaving = new AbortController()
  const { acknowledged, ended } = listenTo(
    client,
    { [ALL_TASKS]: true },
    {
      // No question counts as shown by whoever only watches.
      send: withTasksOnly,
      signal: leaving.signal,
      heard(method, params) {
        if (method === 'notifications/tasks') tell('notifications/intab/task', asSessionTask(params))
        else tell(method, params)
      }
    }
  )
  const again = async (): Promise<void> => {
    await ended
    if (client.transport !== transport || leaving.signal.aborted) return
    await pause(backOff(tries + 1), leaving.signal)
    if (client.transport === transport) await listen(client, tell, tries + 1)
  }
  again().catch((error: unknown) => {
    if (client.transport === transport) client.onerror?.(toError(error))
  })
  try {
    const filter = await acknowledged
    if (filter[ALL_TASKS] !== true) leaving.abort()
  } catch (error) {
    if (!hasCode(error, RPC.methodNotFound)) throw error
  }
}
