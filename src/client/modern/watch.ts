// What a client of MCP 2026-07-28 watches beside its calls: one listen for each kind, for as long as its connection lives.

import { hasCode, RPC, toError } from '../../errors.js'
import { ALL_TASKS } from '../../modern/keys.js'
import { backOff, pause } from '../../time.js'
import type { ConnectedClient } from '../../protocol/connected-client.js'
import { tapped, tell } from '../tap.js'
import { withTasksOnly } from './hook.js'
import { listenTo } from './listen.js'
import { asSessionTask } from './shown-task.js'

/** Every task of the owner, or the list of tools. */
type Kind = typeof ALL_TASKS | 'toolsListChanged'

/** By client and kind: the connection that listens, and since when. */
const known = new WeakMap<object, Map<Kind, { transport: unknown; listening: Promise<void> }>>()

/** Has `hear` hear of every task; resolves once the server tells, also when it is not intab's and tells nothing. */
export const watchAll = (client: ConnectedClient): Promise<void> => watch(client, ALL_TASKS)

/** Has `hear` hear when the list of tools changes. */
export const watchTools = (client: ConnectedClient): Promise<void> => watch(client, 'toolsListChanged')

function watch(client: ConnectedClient, kind: Kind): Promise<void> {
  const { transport } = client
  const kinds = known.get(client) ?? new Map<Kind, { transport: unknown; listening: Promise<void> }>()
  known.set(client, kinds)
  const before = kinds.get(kind)
  if (before !== undefined && before.transport === transport) return before.listening
  const listening = listen(client, kind)
  kinds.set(kind, { transport, listening })
  listening.catch(() => kinds.delete(kind))
  return listening
}

async function listen(client: ConnectedClient, kind: Kind, tries = 0): Promise<void> {
  const { transport } = client
  const leaving = new AbortController()
  const { acknowledged, ended } = listenTo(
    client,
    { [kind]: true },
    {
      // No question counts as shown by whoever only watches.
      send: withTasksOnly,
      signal: leaving.signal,
      heard(method, params) {
        if (method === 'notifications/tasks') {
          tell(client, tapped(client), 'notifications/intab/task', asSessionTask(params))
        } else tell(client, tapped(client), method, params)
      }
    }
  )
  const again = async (): Promise<void> => {
    await ended
    if (client.transport !== transport || leaving.signal.aborted) return
    await pause(backOff(tries + 1), leaving.signal)
    if (client.transport === transport) await listen(client, kind, tries + 1)
  }
  again().catch((error: unknown) => {
    if (client.transport === transport) client.onerror?.(toError(error))
  })
  try {
    const filter = await acknowledged
    if (filter[kind] !== true) leaving.abort()
  } catch (error) {
    if (!hasCode(error, RPC.methodNotFound)) throw error
  }
}
