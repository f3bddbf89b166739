// The page's Web Locks, held from Node: they end with the page, as those of a tab do.

import { IntabError } from '../errors.js'
import type { Locks } from '../types.js'
import type { AgentLink } from './agent-link.js'

export function pageLocks(agent: AgentLink): Locks {
  const request = (how: 'hold' | 'free', name: string, signal?: AbortSignal): Promise<() => void> =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const onabort = (): void => {
        agent.remove(id)
        reject(signal?.reason)
      }
      const id = agent.add({
        event(event) {
          signal?.removeEventListener('abort', onabort)
          if (event.on === 'locked') return resolve(() => agent.remove(id))
          const failed = event.on === 'failed' ? event : undefined
          reject(
            new IntabError(failed?.insecure ? 'insecure_context' : 'worker_failed', failed?.message ?? 'No lock came')
          )
        }
      })
      signal?.addEventListener('abort', onabort)
      agent.call({ do: how, id, name })
    })
  return {
    hold: (name, signal) => request('hold', name, signal),
    async free(name, signal) {
      const forget = await request('free', name, signal)
      forget()
    },
    held: (prefix) =>
      agent.page.evaluate(async (start) => {
        const { held = [] } = await navigator.locks.query()
        return held.flatMap(({ name, mode }) => (mode === 'exclusive' && name?.startsWith(start) ? [name] : []))
      }, prefix)
  }
}
