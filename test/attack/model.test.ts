import { expect, test, vi } from 'vitest'
import { randomOf } from '../support/random.js'
import { Interleavings } from './interleavings.js'

const steps = Number(process.env['INTAB_MODEL_STEPS'] ?? 5_000)
const seed = Number(process.env['INTAB_MODEL_SEED'] ?? 20_251_125)

// Many runs with databases of their own: one long one would measure how fake-indexeddb grows.
const perRun = 1000

test.each([1, 2])(
  `with %i workers no interleaving loses an answer, doubles a holder, strands a waiter, leaves a final status or keeps a change from who watches (${steps} steps, seed ${seed})`,
  {
    timeout: Math.max(120_000, steps * 20)
  },
  async (workers) => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_700_000_000_000 })
    const acts = new Map<string, number>()
    for (let done = 0; done < steps; done += perRun) {
      const run = new Interleavings(randomOf(seed + done), (ms) => vi.setSystemTime(Date.now() + ms))
      await run.open(workers)
      try {
        for (let i = 0; i < Math.min(perRun, steps - done); i++) await run.step()
        await run.close()
      } catch (error) {
        throw new Error(`Run with INTAB_MODEL_STEPS=${perRun} INTAB_MODEL_SEED=${seed + done} to see it again`, {
          cause: error
        })
      }
      for (const [name, count] of run.acts) acts.set(name, (acts.get(name) ?? 0) + count)
    }
    vi.useRealTimers()
    const kinds = [
      'create',
      'ask',
      'answer',
      'wait',
      'take',
      'leave',
      'report',
      'finish',
      'cancel',
      'race',
      'remove',
      'expire',
      'kill',
      'abandon',
      'callTab',
      'runCall',
      'tasks/get',
      'tasks/update',
      'tasks/cancel',
      'listen',
      'unlisten'
    ]
    expect([...acts.keys()].sort()).toEqual(kinds.sort())
  }
)
