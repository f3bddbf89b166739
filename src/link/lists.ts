// What a worker lists may be something else than what the one before it listed: it may be another build. Loaded with the
// second worker of a page, which most pages never have.

import type { JSONRPCMessage, JSONRPCNotification } from '@modelcontextprotocol/sdk/types.js'
import { type Ledger, subscription } from './ledger.js'
import type { WorkerLink } from './worker-link.js'

/** Asks for each list that the client has read, and tells the client of those that differ. */
export async function compareLists(
  { ask }: Pick<WorkerLink, 'ask'>,
  { lists, initialize, pending }: Pick<Ledger, 'lists' | 'initialize' | 'pending'>,
  tell: (messages: JSONRPCMessage[]) => void
): Promise<void> {
  const changed = new Set<string>()
  const comparing = Array.from(lists, async ([method, { request, result }]) => {
    if (!/^(tools|prompts|resources)\//.test(method)) return
    const response = await ask(method, request.params)
    const now = 'result' in response ? response.result : undefined
    if (JSON.stringify(now) === JSON.stringify(result) || lists.get(method)?.result !== result) return
    if (now === undefined) lists.delete(method)
    else lists.set(method, { request, result: now })
    changed.add(method.replace(/\/.*/, ''))
  })
  await Promise.all(comparing)
  for (const list of changed) {
    const method = `notifications/${list}/list_changed`
    // Since 2026-07-28 a client hears only what it listens to.
    const tagged = [...pending.values()].flatMap(({ request: { id, params } }): JSONRPCNotification[] => {
      const { notifications } = (params ?? {}) as { notifications?: Record<string, unknown> }
      if (!notifications?.[`${list}ListChanged`]) return []
      return [{ jsonrpc: '2.0', method, params: { _meta: { [subscription]: id } } }]
    })
    tell(initialize === undefined ? tagged : [{ jsonrpc: '2.0', method }])
  }
}
