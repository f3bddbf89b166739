// Plain calls, and the life of a task.

import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { followTask, runTask } from 'intab'
import { now } from '../floors/clock.js'
import { atOnce, type Floors, payload } from '../pages/floors.js'
import { type Race, timed } from '../pages/race.js'
import { answerAll, Server, textOf } from '../pages/tab.js'
import { inMemoryFinish } from '../floors/sdk-in-memory.js'

const settle = async (client: Client, taskId: string): Promise<void> => {
  // What was sent before has been read by then.
  for (let i = 0; i < 2; i += 1) await followTask(client, taskId)
}

/** The same for all who ask, made for the first. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

/** Starts a task that waits, and another tab that waits for it; resolves with how long the release took to get there. */
export async function finish(from: Server, client: Client, other: Client): Promise<number> {
  const run = await runTask(client, { name: 'hold' })
  const result = (await followTask(other, run.taskId)).result()
  await settle(other, run.taskId)
  await from.side('release', run.taskId)
  const stamp = textOf(await result)
  return now() + from.ahead - stamp
}

export async function callRaces(floors: Floors): Promise<Race[]> {
  const server = new Server('a', 'bench')
  const client = await server.connect()
  // Whoever is there is told of every task: another tab, and another worker, come only where a row is about them.
  const other = once(() => server.connect())
  const distant = once(() => new Server('b', 'bench').connect())
  const shown = answerAll(client, server)
  await server.synchronise()

  const call = timed(() => client.callTool({ name: 'echo', arguments: { text: payload } }))
  const create = async (): Promise<number> => {
    const start = performance.now()
    const run = await runTask(client, { name: 'hold' })
    const took = performance.now() - start
    await server.side('release', run.taskId)
    await run.result()
    // The end of one task is no part of the creation of the next.
    await settle(client, run.taskId)
    return took
  }
  const ask = async (): Promise<number> => {
    const run = await runTask(client, { name: 'ask' })
    const result = run.result()
    await settle(client, run.taskId)
    await server.side('release', run.taskId)
    return textOf(await result)
  }
  const live = async (): Promise<void> => {
    const run = await runTask(client, { name: 'instant' })
    await run.result()
  }
  const lives = async (): Promise<number> => {
    const start = performance.now()
    await Promise.all(Array.from({ length: atOnce }, live))
    return (atOnce * 1000) / (performance.now() - start)
  }
  const asked = async (): Promise<number> => {
    await ask()
    return shown.at(-1) ?? NaN
  }

  const ms = { unit: 'ms', rounds: 20, batch: 10 }
  return [
    { ...ms, name: 'plain tools/call: bare port', goal: undefined, ours: call, floor: floors.ping, batch: 100 },
    {
      ...ms,
      name: 'plain tools/call: SDK over a bare port',
      goal: { atMost: 1.15 },
      ours: call,
      floor: floors.sdkCall,
      batch: 100
    },
    { ...ms, name: 'create a task', goal: { atMost: 1.25 }, ours: create, floor: floors.create },
    { ...ms, name: 'question asked to shown', goal: { atMost: 1.5 }, ours: asked, floor: floors.ask },
    { ...ms, name: 'answer given to tool resumed', goal: { atMost: 1.5 }, ours: ask, floor: floors.answer },
    { ...ms, name: 'whole life of a task', goal: { atMost: 1.25 }, ours: timed(live), floor: floors.life },
    {
      name: `whole life of a task, ${atOnce} at once`,
      unit: 'tasks/s',
      // Half a second later it is noted who fetched what.
      rest: 800,
      rounds: 10,
      batch: 1,
      goal: { atLeast: 0.6 },
      ours: lives,
      floor: floors.lives
    },
    {
      ...ms,
      name: 'finish to result() in another tab',
      goal: { atMost: 1.25 },
      ours: async () => finish(server, client, await other()),
      floor: floors.finish
    },
    {
      ...ms,
      name: "finish to result(): SDK's own stores",
      goal: { atMost: 0.01 },
      ours: async () => finish(server, client, await other()),
      floor: await inMemoryFinish(),
      batch: 1
    },
    {
      ...ms,
      name: 'finish to result() through another worker',
      goal: { atMost: 1.25 },
      ours: async () => finish(server, client, await distant()),
      floor: floors.finishElsewhere
    }
  ]
}
