// Calls of tools that tabs lend, as acts of the model: asked like questions, and taken by a page that may go while it runs one.

import { expect } from 'vitest'
import { connections, type Stage } from './stage.js'

const lends = 'tab:read' as const

export const lentActs = (stage: Stage) => [() => callTab(stage), () => runCall(stage)]

/** A handler calls a tab's tool. */
async function callTab(stage: Stage): Promise<string | undefined> {
  stage.count('callTab')
  const fence = stage.random.pick(stage.fences)
  if (fence === undefined) return undefined
  const key = `call${stage.random.below(3)}`
  const draft = { key, method: 'intab/lent/call', params: { name: 'read' }, needs: [lends], lent: true as const }
  const must = stage.model.holds(fence)
  const row = await stage.worker.messages.ask(fence, draft)
  expect(row !== undefined, 'a call is stored exactly while the fence holds').toBe(must)
  if (row === undefined) return fence.taskId
  const { questions } = stage.model.task(fence.taskId)
  const known = questions.get(key)
  if (known) expect([row.requestId, row.answer]).toEqual([known.requestId, known.answer])
  else questions.set(key, { requestId: row.requestId, lent: true })
  return fence.taskId
}

/** A page begins to run a call, if no other page does. */
async function runCall(stage: Stage): Promise<string | undefined> {
  stage.count('runCall')
  const task = stage.some()
  const calls = [...(task?.questions.values() ?? [])].filter(({ lent }) => lent)
  const call = stage.random.pick(calls)
  const connection = stage.random.pick(connections)
  if (task === undefined || call === undefined || connection === undefined) return undefined
  const once = stage.random.chance(0.5)
  const claimant = { connection, can: [lends], tab: { name: connection, once } }
  const holder = stage.holders.get(call.requestId)
  const free = stage.model.isOpen(task.taskId, call.requestId) && (holder === undefined || holder === connection)
  const taken = await stage.worker.messages.take(call.requestId, 'ann', claimant, true)
  expect(taken?.claimedBy, 'one page runs a call').toBe(free ? connection : undefined)
  if (!free || holder === connection) return task.taskId
  stage.holders.set(call.requestId, connection)
  call.once = once
  return task.taskId
}

/** A connection has gone: what it ran goes to others, unless it must not run twice. */
export function pageGone(stage: Stage, connection: string): void {
  for (const [requestId, holder] of stage.holders) {
    if (holder !== connection) continue
    stage.holders.delete(requestId)
    for (const task of stage.model.tasks.values()) {
      const call = stage.model.open(task).find((open) => open.requestId === requestId)
      if (call?.once)
        call.answer = {
          error: { code: -31030, message: expect.stringMatching(/may have run/), data: expect.anything() }
        }
      else if (call) delete call.once
    }
  }
}
