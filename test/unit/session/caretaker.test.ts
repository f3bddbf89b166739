import { expect, onTestFinished, test } from 'vitest'
import { Caretaker } from '../../../src/session/caretaker.js'
import type { Hub } from '../../../src/session/hub.js'
import { Runner } from '../../../src/tasks/runner.js'
import type { Locks } from '../../../src/types.js'
import { LockSpace, memoryLocks } from '../../doubles/locks.js'
import { newTask, openEngine } from '../../support/engine.js'
import { text, toolOf } from '../../support/tools.js'

test('a worker that begins while another looks for the dead is not taken for one, though nobody heard of it yet', async () => {
  const engine = await openEngine()
  const space = new LockSpace()
  const [own, others] = [memoryLocks(space), memoryLocks(space)]
  const executor = `${engine.name}:executor:1`
  const young = `${engine.name}:executor:2`
  const tool = toolOf('pack', () => text('done'))
  const errors: unknown[] = []
  const onerror = (error: Error): number => errors.push(error)
  const runner = new Runner({ ...engine, onerror }, () => undefined)
  const tools = new Map([['pack', tool]])
  const hub = {
    ...engine,
    executor,
    tools,
    runner,
    onerror,
    emit: () => undefined,
    sessions: new Set()
  } as unknown as Hub
  let asked = 0
  const prefix = `${engine.name}:executor:`
  const nothing = async (): Promise<void> => undefined
  const charge = { retention: engine.retention, read: nothing, review: nothing, offer: nothing, noteFetched: nothing }
  const watching: Locks = {
    ...own,
    async held(of) {
      const names = await own.held(of)
      if (of !== prefix || ++asked > 1) return names
      await others.hold(young)
      await newTask(engine, { tool: 'pack', executor: young })
      return names
    }
  }
  const caretaker = new Caretaker(hub, watching, prefix, charge)
  onTestFinished(() => caretaker.close())
  await caretaker.start()
  expect(await engine.roster.unfinished(young)).toHaveLength(1)
  expect(errors).toEqual([])
})
