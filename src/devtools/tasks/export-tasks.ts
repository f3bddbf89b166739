// Tasks with all their rows as a file, for a bug report or a test.

import { ask, type ConnectedClient } from '../../protocol/connected-client.js'
import { hasCode, IntabError, RPC } from '../../errors.js'
import { type ExportedTask, fileFormat, type TaskFile } from '../../task-file.js'
import { h } from '../dom.js'

/** Requests under way at once: a task may hold megabytes. */
const atOnce = 8

/** Reads the tasks, in this order, and saves them as the browser saves a download. One that was deleted meanwhile is left out. */
export async function exportTasks(client: ConnectedClient, taskIds: readonly string[]): Promise<void> {
  const parts: string[] = []
  let first: ExportedTask | undefined
  for (let at = 0; at < taskIds.length; at += atOnce) {
    const read = await Promise.all(taskIds.slice(at, at + atOnce).map((taskId) => exported(client, taskId)))
    for (const found of read) {
      if (found === undefined) continue
      first ??= found
      parts.push(`${parts.length > 0 ? ',' : ''}\n${JSON.stringify(found.task)}`)
    }
  }
  if (first === undefined) throw new IntabError('invalid_options', 'No task is left to export: choose others')
  const { version, exportedAt } = first
  const head: Omit<TaskFile, 'tasks'> = { format: fileFormat, version, exportedAt }
  // Piece by piece: one text of all of them could be too long for a string.
  save(new Blob([`${JSON.stringify(head).slice(0, -1)},"tasks":[`, ...parts, '\n]}\n'], { type: 'application/json' }))
}

async function exported(client: ConnectedClient, taskId: string): Promise<ExportedTask | undefined> {
  try {
    return (await ask(client, 'intab/tasks/export', { taskId })) as unknown as ExportedTask
  } catch (error) {
    if (hasCode(error, RPC.invalidParams)) return undefined
    throw error
  }
}

function save(file: Blob): void {
  const href = URL.createObjectURL(file)
  const stamp = new Date().toISOString().slice(0, 19).replace(/[T:]/g, '-')
  h('a', { href, download: `intab-tasks-${stamp}.json` }).click()
  // The download has its own hold on the file by then.
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}
