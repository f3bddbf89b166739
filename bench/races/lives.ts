// Workers that begin and end.

import { runTask } from 'intab'
import { firstMessage, type Floors, newBare } from '../pages/floors.js'
import type { Race } from '../pages/race.js'
import { connect, Server } from '../pages/tab.js'

export type EndWorker = (url: string) => Promise<void>

/** Resolves when the lock is free, with the time. */
async function whenFree(lock: string): Promise<number> {
  return navigator.locks.request(lock, { mode: 'shared' }, () => performance.now())
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** What a page waits after its worker's death: for messages under way, and for a browser that is not done with it. */
const waits = [50, 50]

export function lifeRaces({ start }: Pick<Floors, 'start'>, endWorker?: EndWorker): Race[] {
  let n = 0
  const starts: Race = {
    name: 'worker start to first answer',
    unit: 'ms',
    goal: { atMost: 1.35 },
    rounds: 10,
    batch: 2,
    floor: start,
    ours: async () => {
      const server = new Server(`start-${(n += 1)}`, 'bench-start', { script: 'tools' })
      const began = performance.now()
      const client = await server.connect()
      const took = performance.now() - began
      await client.close()
      await server.side('close')
      return took
    }
  }
  return endWorker === undefined ? [starts] : [starts, deaths(endWorker)]
}

function deaths(endWorker: EndWorker): Race {
  let n = 0
  return {
    name: 'killed worker to pending result() answered',
    unit: 'ms',
    goal: { atMost: 1.5 },
    rounds: 10,
    batch: 2,
    floor: async () => {
      const lock = crypto.randomUUID()
      const worker = newBare(lock)
      await firstMessage(worker)
      const free = whenFree(lock)
      await endWorker(`lock=${lock}`)
      const died = await free
      for (const wait of waits) await pause(wait)
      const next = newBare(crypto.randomUUID())
      await firstMessage(next)
      const took = performance.now() - died
      next.port.postMessage('close')
      return took
    },
    ours: async () => {
      const server = new Server(`death-${(n += 1)}`, 'bench-death', { script: 'tools' })
      const transport = server.transport()
      const client = await connect(transport)
      const result = (await runTask(client, { name: 'again' })).result()
      const free = whenFree(`${server.database}:executor:${transport.worker}`)
      await endWorker(`server=${server.which}&`)
      const died = await free
      await result
      const took = performance.now() - died
      await client.close()
      await server.side('close')
      return took
    }
  }
}
