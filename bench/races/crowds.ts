// What must not grow: with those who wait, and with what is stored.

import { followTask, listTasks, runTask } from 'intab'
import { fill } from '../floors/fill.js'
import { atOnce } from '../pages/floors.js'
import { type Race, timed } from '../pages/race.js'
import { Server } from '../pages/tab.js'
import { finish } from './calls.js'

/** 1,000 tasks that another tab waits for, and one more that ends. */
export async function waiterRaces(waiters: number): Promise<Race[]> {
  const [crowd, lone] = [new Server('crowd', 'bench-crowd'), new Server('lone', 'bench-lone')]
  const [client, other] = [await crowd.connect(), await crowd.connect()]
  const [loneClient, loneOther] = [await lone.connect(), await lone.connect()]
  await Promise.all([crowd.synchronise(), lone.synchronise()])
  for (let i = 0; i < waiters; i += 1) {
    const run = await runTask(client, { name: 'hold' })
    const waiting = await followTask(other, run.taskId)
    waiting.result().catch(() => undefined)
  }
  const ours = (): Promise<number> => finish(crowd, client, other)
  const floor = (): Promise<number> => finish(lone, loneClient, loneOther)
  const counting = (server: Server, act: () => Promise<number>) => async (): Promise<number> => {
    const before = await server.side('transactions')
    await act()
    return (await server.side('transactions')) - before
  }
  return [
    {
      name: `one of ${waiters} waiting tasks finishes`,
      unit: 'ms',
      goal: { atMost: 1.2 },
      ours,
      floor,
      rounds: 20,
      batch: 5
    },
    {
      name: `the same: transactions, of ${waiters} and of one`,
      unit: 'each',
      goal: { atMost: 1 },
      ours: counting(crowd, ours),
      floor: counting(lone, floor),
      rounds: 5,
      batch: 5
    }
  ]
}

/** Reads and writes beside many stored tasks, and beside few. */
export async function storedRaces(many: number, few: number): Promise<Race[]> {
  const [large, small] = [new Server('large', `bench-${many}`), new Server('small', `bench-${few}`)]
  const open = async (server: Server, count: number) => {
    const client = await server.connect()
    const known = await fill(server.database, count)
    let next = 0
    return {
      get: timed(async () => {
        next = (next + 7919) % known.length
        await followTask(client, known[next] ?? '')
      }),
      list: timed(() => listTasks(client)),
      create: async () => {
        const start = performance.now()
        const run = await runTask(client, { name: 'hold' })
        const took = performance.now() - start
        await server.side('release', run.taskId)
        await run.result()
        return took
      }
    }
  }
  const [ours, floor] = [await open(large, many), await open(small, few)]
  const of = (name: 'get' | 'list' | 'create', words: string): Race => ({
    name: `${words} with ${many} stored tasks, and with ${few}`,
    unit: 'ms',
    goal: { atMost: 1.3 },
    ours: ours[name],
    floor: floor[name],
    rounds: 20,
    batch: 10
  })
  return [of('get', 'get'), of('list', 'list page'), of('create', 'create')]
}

/** Lives of tasks where each new one makes an old one go, and where nothing has to go yet. */
export async function keptRaces(kept: number): Promise<Race[]> {
  const open = async (which: string, limit: number) => {
    const client = await new Server(which, `bench-${which}`, { kept: limit }).connect()
    const live = async (): Promise<void> => {
      const run = await runTask(client, { name: 'instant' })
      await run.result()
    }
    return timed(() => Promise.all(Array.from({ length: atOnce }, live)))
  }
  const [ours, floor] = [await open('full', kept), await open('roomy', 1e7)]
  for (let done = 0; done < kept; done += atOnce) await ours()
  const name = `${atOnce} lives of a task, each making room among ${kept}, and making none`
  return [{ name, unit: 'ms', goal: { atMost: 1.3 }, ours, floor, rounds: 15, batch: 2 }]
}
