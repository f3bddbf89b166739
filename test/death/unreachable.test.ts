// A page that no worker answers any more: its script is gone from the server, say, after a new version was deployed.

import { describe, expect, test } from 'vitest'
import { followTask, runTask } from '../../src/index.js'
import { gate, text, toolOf } from '../support/tools.js'
import { FakeSharedWorker, World, type WorldWorker } from '../support/world.js'

const yes = { action: 'accept' as const, content: { confirm: true } }
const requestedSchema = { type: 'object', properties: { confirm: { type: 'boolean' } } } as const

const ask = toolOf(
  'ask',
  async (_, task) => text((await task.elicit({ message: 'Delete?', requestedSchema })).action),
  { onInterrupt: 'resume', taskSupport: 'required' }
)

/** What a SharedWorker is whose script cannot be fetched. */
class NoWorker extends EventTarget {
  static made = 0
  readonly port = new MessageChannel().port1
  constructor() {
    super()
    NoWorker.made += 1
    queueMicrotask(() => this.dispatchEvent(new Event('error')))
  }
}

/** Two builds on one database; a tab of the old one shows a question, and its worker dies. */
async function deployed() {
  const world = new World({ tools: [ask] })
  const old = world.worker()
  await old.server.ready
  let found: WorldWorker | undefined = old
  const asked: string[] = []
  const withdrawn: string[] = []
  const [shown, answered] = [gate(), gate<typeof yes>()]
  const a = await world.tab({
    make: () => (found === undefined ? new NoWorker() : new FakeSharedWorker(found.scope)),
    onelicit: (_, id, signal) => {
      asked.push(id)
      signal.addEventListener('abort', () => withdrawn.push(id))
      shown.open()
      return answered.opened
    }
  })
  const run = await runTask(a.client, { name: 'ask' })
  const result = run.result()
  await shown.opened
  const next = world.worker()
  await next.server.ready
  const states: string[] = []
  a.transport.onstatechange = (state) => states.push(state)
  found = undefined
  old.kill()
  return { world, a, run, result, next, asked, withdrawn, answered, states, find: (w: WorldWorker) => (found = w) }
}

describe('a page that finds no worker', () => {
  test('leaves its question to a tab that another worker serves, and loses it when it comes back', async () => {
    const { world, run, result, next, asked, withdrawn, states, find } = await deployed()
    const taken = gate<string>()
    const b = await world.tab({ worker: next, onelicit: (_, id) => (taken.open(id), yes) })
    const there = (await followTask(b.client, run.taskId)).result()
    expect(await taken.opened).toBe(asked[0])
    expect(await there).toMatchObject(text('accept'))
    expect(states).toEqual(['reconnecting'])
    find(next)
    expect(await result).toMatchObject(text('accept'))
    await expect.poll(() => withdrawn).toEqual(asked)
    expect(asked).toHaveLength(1)
  })

  test('keeps it when nobody else was there, and its answer counts once a worker is', async () => {
    const { result, next, asked, withdrawn, answered, find } = await deployed()
    // Five tries in vain, and the next.
    const before = NoWorker.made
    await expect.poll(() => NoWorker.made, { timeout: 10_000 }).toBeGreaterThanOrEqual(before + 6)
    answered.open(yes)
    find(next)
    expect(await result).toMatchObject(text('accept'))
    expect(withdrawn).toEqual([])
    expect(asked).toHaveLength(1)
  })
})
