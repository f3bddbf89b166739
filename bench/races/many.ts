// What must not grow faster than its number: tabs, tasks that run and report, questions that are open.

import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { runTask } from 'intab'
import { type Row, type Scale, repeat, rowOf } from '../pages/race.js'
import { Server } from '../pages/tab.js'
import { finish } from './calls.js'
import type { WorkerHeap } from './heap.js'

/** Twice as many may cost twice as much, and a tenth for what comes and goes. */
const goal = { atMost: 2.2 }

/** A server among many of something, and how long they took to come. */
interface Crowd {
  server: Server
  filled: number
  /** Ends what it began. */
  disband(): Promise<void>
}

type Gather = (server: Server, count: number) => Promise<() => Promise<void>>

const gatherings: { words: string; of: keyof Scale['crowd']; gather: Gather }[] = [
  {
    words: 'connected tabs',
    of: 'tabs',
    gather: async (server, count) => {
      const clients = await Promise.all(Array.from({ length: count }, () => server.connect()))
      return async () => void (await Promise.all(clients.map((client) => client.close())))
    }
  },
  {
    words: 'tasks that report',
    of: 'running',
    gather: async (server, count) => {
      const client = await server.connect()
      const runs = await Promise.all(Array.from({ length: count }, () => runTask(client, { name: 'report' })))
      return async () => {
        await Promise.all(runs.map(({ taskId }) => server.side('release', taskId)))
        await client.close()
      }
    }
  },
  {
    words: 'open questions',
    of: 'questions',
    gather: async (server, count) => {
      const client = await server.connect()
      await new Promise<void>((resolve, reject) => {
        let shown = 0
        client.setRequestHandler(ElicitRequestSchema, () => {
          if ((shown += 1) === count) resolve()
          return new Promise<never>(() => undefined)
        })
        const wonder = async (): Promise<void> => {
          const run = await runTask(client, { name: 'wonder' })
          // Whoever waits is shown the question; the wait itself ends with the client.
          run.result().catch(() => undefined)
        }
        // What waits in line for longer than the storage may take is refused: a hundred at a time.
        const ask = async (): Promise<void> => {
          for (let done = 0; done < count; done += 100) {
            await Promise.all(Array.from({ length: Math.min(100, count - done) }, wonder))
          }
        }
        ask().catch(reject)
      })
      return () => client.close()
    }
  }
]

async function crowded(which: string, count: number, gather: Gather): Promise<Crowd> {
  const server = new Server(which, `bench-${which}`)
  // The worker and its database are there before the clock runs.
  const first = await server.connect()
  await server.synchronise()
  const began = performance.now()
  const disband = await gather(server, count)
  const filled = performance.now() - began
  return {
    server,
    filled,
    disband: async () => {
      await disband()
      await first.close()
    }
  }
}

/** Half and all of each crowd: what it costs to make, what it takes of memory, and what a task costs that ends among it. */
export async function* manyRows(
  { crowd, part }: Scale,
  wants: (...words: string[]) => boolean,
  heap?: WorkerHeap
): AsyncGenerator<Row> {
  for (const { words, of, gather } of gatherings) {
    if (!wants('among', 'made in', words)) continue
    const many = crowd[of]
    const few = many / 2
    const among = `among ${many} ${words}, and among ${few}`
    const row = (name: string, unit: string, [ours, floor]: [number[], number[]]): Row =>
      rowOf({ name, unit, goal }, ours, floor)
    const took: number[][] = []
    const longest: number[][] = []
    const filled: number[][] = []
    const heaps: number[][] = []
    for (const count of [many, few]) {
      const which = `${of}-${count}`
      const { server, filled: spent, disband } = await crowded(which, count, gather)
      filled.push([spent])
      if (heap !== undefined) heaps.push([(await heap(`server=${which}&`)) / 1000])
      const [client, other] = [await server.connect(), await server.connect()]
      const turns: number[] = []
      const act = async (): Promise<number> => {
        await server.side('longest')
        const ended = await finish(server, client, other)
        turns.push(await server.side('longest'))
        return ended
      }
      took.push(await repeat(act, Math.max(2, Math.round(100 * part))))
      longest.push(turns)
      await Promise.all([client.close(), other.close()])
      await disband()
      await server.side('close')
    }
    yield row(`${many} ${words}, and ${few}: made in`, 'ms', filled as [number[], number[]])
    yield row(`finish to result() ${among}`, 'ms', took as [number[], number[]])
    yield row(`longest turn of the worker in a finish ${among}`, 'ms', longest as [number[], number[]])
    if (heap !== undefined) yield row(`heap ${among}`, 'kB', heaps as [number[], number[]])
  }
}
