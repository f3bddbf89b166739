// A tool that reports 10,000 times in a second, and the same tool silent.

import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { runTask } from 'intab'
import type { Race } from '../pages/race.js'
import { Server, textOf } from '../pages/tab.js'

/** Runs the tool once; `ballast` is carried among its arguments. */
export const working =
  (server: Server, client: Client) =>
  async (report: boolean, ballast = ''): Promise<{ took: number; writes: number }> => {
    const before = await server.side('transactions')
    const run = await runTask(client, { name: 'work', arguments: { report, ballast } })
    const result = await run.result()
    const { status, progress } = run.task
    if (result.isError || status !== 'completed' || (report && progress?.progress !== 10_000)) {
      throw new Error(`The end state was lost: ${JSON.stringify(run.task)}`)
    }
    return { took: textOf(result), writes: (await server.side('transactions')) - before }
  }

export async function workRaces(): Promise<Race[]> {
  const server = new Server('work', 'bench-work')
  const work = working(server, await server.connect())
  const race = { rounds: 6, batch: 1, floor: async () => (await work(false)).took }
  return [
    {
      ...race,
      name: '10,000 progress reports in a second',
      unit: 'ms',
      goal: { atMost: 1.2 },
      ours: async () => (await work(true)).took
    },
    {
      ...race,
      name: 'the same: transactions for 10,000 reports',
      unit: 'each',
      rounds: 2,
      goal: { atMost: 0.1 },
      ours: async () => (await work(true)).writes,
      floor: async () => 10_000
    }
  ]
}
