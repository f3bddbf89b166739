// What is left in the worker when everybody has gone; each figure after collection.

import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { runTask } from 'intab'
import { type Row, rowOf } from '../pages/race.js'
import { Server } from '../pages/tab.js'

export type WorkerHeap = (url: string) => Promise<number>

/** Bookkeeping of the browser and compiled code come and go by this much. */
const noise = 1.1

export async function heapRows(part: number, workerHeap: WorkerHeap): Promise<Row[]> {
  const server = new Server('heap', 'bench-heap')
  const keeper = await server.connect()
  const heap = (): Promise<number> => workerHeap('server=heap&')
  const rows: Row[] = []
  const grows = async (name: string, act: () => Promise<void>): Promise<void> => {
    // Once to warm up what is made lazily and kept.
    await act()
    const before = await heap()
    await act()
    rows.push(rowOf({ name, unit: 'kB', goal: { atMost: noise } }, [(await heap()) / 1000], [before / 1000]))
  }
  const finished = Math.round(10_000 * part)
  const sessions = 50
  const waiters = Math.round(1000 * part)

  await grows(`heap after ${finished} finished tasks, and ${finished} more`, async () => {
    for (let done = 0; done < finished; done += 100) {
      await Promise.all(Array.from({ length: 100 }, async () => (await runTask(keeper, { name: 'instant' })).result()))
    }
  })
  await grows(`heap after ${sessions} sessions came and went, and ${sessions} more`, async () => {
    const clients = await Promise.all(Array.from({ length: sessions }, () => server.connect()))
    for (const client of clients) await client.close()
    await settle(keeper)
  })
  await grows(`heap after ${waiters} waiters got their results, and ${waiters} more`, async () => {
    const runs = []
    for (let i = 0; i < waiters; i += 1) runs.push(await runTask(keeper, { name: 'hold' }))
    const results = runs.map((run) => run.result())
    for (const { taskId } of runs) await server.side('release', taskId)
    await Promise.all(results)
  })
  rows.push(await perSession(server, heap, sessions))
  return rows
}

/** A session that does nothing costs what it costs, however many there are. */
async function perSession(server: Server, heap: () => Promise<number>, count: number): Promise<Row> {
  const cost = async (): Promise<number> => {
    const before = await heap()
    const clients = await Promise.all(Array.from({ length: count }, () => server.connect()))
    const each = ((await heap()) - before) / count / 1000
    open.push(...clients)
    return each
  }
  const open: { close(): Promise<void> }[] = []
  // What was freed before is used again by the first lots.
  for (let lot = 0; lot < 3; lot += 1) await cost()
  const [first, second] = [await cost(), await cost()]
  for (const client of open) await client.close()
  return rowOf(
    { name: 'heap per idle session, and per one of the next', unit: 'kB', goal: { atMost: noise } },
    [second],
    [first]
  )
}

async function settle(client: Client): Promise<void> {
  // Locks of those who left come free a moment later than their goodbye.
  const run = await runTask(client, { name: 'instant' })
  await run.result()
}
