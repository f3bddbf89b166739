// A page and a worker that race for the same rows.

import { openStorage } from '../../../src/storage/open-storage.js'
import { openRacer, type Race, type Round } from './rows-racer.js'
import url from './rows.worker.ts?worker&url'

declare global {
  /** Winners of each round: 1 is right. */
  var race: (kind: Race, rounds: number) => Promise<number[]>
}

globalThis.race = async (kind, rounds) => {
  const name = `rows:${crypto.randomUUID()}`
  const storage = await openStorage({ name, publish: () => undefined, limits: { unfinished: 10_000, kept: 10_000 } })
  const page = await openRacer(name, 'page')
  const worker = new Worker(url, { type: 'module', name })
  const there = (round: Round): Promise<boolean> =>
    new Promise((resolve) => {
      worker.onmessage = ({ data }: MessageEvent<boolean>) => resolve(data)
      worker.postMessage(round)
    })
  const winners: number[] = []
  for (let i = 0; i < rounds; i++) {
    const executor = 'executor'
    const { task } = await storage.tasks.create({
      taskId: crypto.randomUUID(),
      owner: 'ann',
      tool: 'race',
      arguments: {},
      capabilities: [],
      session: 's',
      connection: 'c',
      requestId: 1,
      ttl: null,
      pollInterval: 1000,
      executor
    })
    const question = { key: 'q', method: 'elicitation/create', params: {}, needs: [] }
    const row = await storage.messages.ask({ taskId: task.taskId, executor, attempt: 1 }, question)
    const round = { race: kind, taskId: task.taskId, executor, requestId: row?.requestId ?? '' }
    const won = await Promise.all(i % 2 === 0 ? [page(round), there(round)] : [there(round), page(round)])
    winners.push(won.filter(Boolean).length)
  }
  worker.terminate()
  storage.close()
  return winners
}
