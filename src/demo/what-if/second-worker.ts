// A worker of another build beside ours.

import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { listTasks, runTask } from 'intab'
import type { Act } from 'intab/devtools'
import { type Connection, connectToSecond } from '../connection.js'
import { shortId } from '../format.js'

/** Ids of the tasks that a client sees, page by page. */
async function seenBy(client: Client): Promise<Set<string>> {
  const ids = new Set<string>()
  let cursor: string | undefined
  do {
    const page = await listTasks(client, cursor === undefined ? {} : { cursor })
    for (const { taskId } of page.tasks) ids.add(taskId)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return ids
}

export function startSecond(connection: Connection): Act {
  let second: { client: Client; worker: string | undefined } | undefined
  return {
    title: 'Two workers at once',
    description:
      'Starts another worker script on the same database, as a new build beside the old one, and lets it run a task. ' +
      'Kill the first one meanwhile: the second takes its tasks over.',
    label: 'Start a second worker',
    async run() {
      second ??= await connectToSecond()
      const [mine, theirs] = [await seenBy(connection.client), await seenBy(second.client)]
      const run = await runTask(second.client, { name: 'countdown', arguments: { seconds: 20 } })
      return [
        `Worker ${shortId(second.worker ?? '')} runs beside ${shortId(connection.worker ?? '')}.`,
        `It sees ${[...mine].filter((id) => theirs.has(id)).length} of the ${mine.size} tasks that the first one sees.`,
        `It counts down in task ${run.taskId.slice(0, 8)}, which every tab follows.`
      ]
    }
  }
}
