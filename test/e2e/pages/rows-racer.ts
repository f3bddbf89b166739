// One of two contexts that write the same rows at the same time.

import { openStorage } from '../../../src/storage/open-storage.js'

export type Race = 'finish' | 'adopt' | 'answer' | 'claim'

export interface Round {
  race: Race
  taskId: string
  executor: string
  requestId: string
}

/** Resolves with whether this context won the round. */
export async function openRacer(name: string, me: string): Promise<(round: Round) => Promise<boolean>> {
  const storage = await openStorage({ name, publish: () => undefined, limits: { unfinished: 10_000, kept: 10_000 } })
  return async ({ race, taskId, executor, requestId }) => {
    const fence = { taskId, executor, attempt: 1 }
    const result = { content: [{ type: 'text', text: me }] }
    if (race === 'finish') {
      return (await storage.tasks.finish({ taskId }, { status: 'completed', outcome: { result } })) !== undefined
    }
    if (race === 'adopt') return (await storage.roster.adopt(fence, me)) !== undefined
    if (race === 'answer') return storage.messages.answer(requestId, 'ann', { result })
    const found = await storage.messages.claim(taskId, 'ann', { connection: me, can: [] }, 0)
    return (found?.messages.length ?? 0) > 0
  }
}
