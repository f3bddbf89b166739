// A worker that ends, a connection that drops, a worker of another build beside ours.

import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { runTask } from 'intab'
import { type Connection, connectToSecond } from '../connection.js'
import { shortId } from '../format.js'
import type { Accident } from './accident.js'
import { compare, survey } from './survey.js'

/** What the accidents need of the page. */
export interface Scene {
  connection: Connection
  /** Resolves when a worker other than this one serves the tab. */
  servedByOther(worker: string | undefined): Promise<void>
}

export const killWorker = ({ connection, servedByOther }: Scene): Accident => ({
  title: 'The worker dies',
  description: 'Ends the worker with self.close(). Every tab finds the next one by itself, and what can resume does.',
  label: 'Kill the worker',
  async run() {
    const { client, worker } = connection
    const before = await survey(client)
    const start = performance.now()
    const next = servedByOther(worker)
    await connection.stopWorker()
    await next
    const ms = Math.round(performance.now() - start)
    const after = await survey(client)
    return [
      `Worker ${shortId(worker ?? '')} is gone; ${shortId(connection.worker ?? '')} serves after ${ms} ms.`,
      ...compare(before, after)
    ]
  }
})

export function dropConnection({ connection }: Scene): Accident {
  let before: Awaited<ReturnType<typeof survey>> | undefined
  return {
    title: 'This tab drops out',
    description: 'Closes the connection of this tab. Tasks go on without it. Press again to come back.',
    label: 'Drop or restore the connection',
    async run() {
      if (before === undefined) {
        before = await survey(connection.client)
        await connection.disconnect()
        return ['This tab is disconnected. Other tabs and all tasks go on.']
      }
      await connection.connect()
      const lines = compare(before, await survey(connection.client))
      before = undefined
      return ['Connected again.', ...lines]
    }
  }
}

export function startSecond({ connection }: Scene): Accident {
  let second: { client: Client; worker: string | undefined } | undefined
  return {
    title: 'Two workers at once',
    description:
      'Starts another worker script on the same database, as a new build beside the old one, and lets it run a task. ' +
      'Kill the first one meanwhile: the second takes its tasks over.',
    label: 'Start a second worker',
    async run() {
      second ??= await connectToSecond()
      const [mine, theirs] = [await survey(connection.client), await survey(second.client)]
      const run = await runTask(second.client, { name: 'countdown', arguments: { seconds: 20 } })
      const same = [...mine.tasks.keys()].filter((id) => theirs.tasks.has(id)).length
      return [
        `Worker ${shortId(second.worker ?? '')} runs beside ${shortId(connection.worker ?? '')}.`,
        `It sees ${same} of the ${mine.tasks.size} tasks that the first one sees.`,
        `It counts down in task ${run.taskId.slice(0, 8)}, which every tab follows.`
      ]
    }
  }
}
