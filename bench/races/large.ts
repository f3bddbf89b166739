// Arguments and results of many bytes, and the progress of a task that has them.

import { runTask } from 'intab'
import { RawWorker } from '../floors/raw-worker.js'
import { type Race, timed } from '../pages/race.js'
import { Server } from '../pages/tab.js'
import { working } from './work.js'

/** `megabytes` of the largest; another row has an eighth of it. */
export async function largeRaces(megabytes: number): Promise<Race[]> {
  const server = new Server('large-values', 'bench-large-values')
  const client = await server.connect()
  const raw = new RawWorker('raw-large')
  const mirror = (text: string) => async (): Promise<void> => {
    const run = await runTask(client, { name: 'mirror', arguments: { text } })
    const result = await run.result()
    if (JSON.stringify(result.content).length < text.length) throw new Error('The result is not what was sent')
  }
  const races = [megabytes / 8, megabytes].map((size): Race => {
    const text = 'x'.repeat(size * 1_000_000)
    return {
      name: `arguments and result of ${size} MB, against put and get`,
      unit: 'ms',
      goal: { atMost: 1.5 },
      rounds: 5,
      batch: 1,
      ours: timed(mirror(text)),
      floor: timed(() => raw.call('mirror', crypto.randomUUID(), text))
    }
  })
  const ballast = 'x'.repeat((megabytes / 8) * 1_000_000)
  const work = working(server, client)
  races.push({
    name: `10,000 progress reports beside arguments of ${megabytes / 8} MB, and beside none`,
    unit: 'ms',
    goal: { atMost: 1.1 },
    rounds: 6,
    batch: 1,
    ours: async () => (await work(true, ballast)).took,
    floor: async () => (await work(true)).took
  })
  return races
}
