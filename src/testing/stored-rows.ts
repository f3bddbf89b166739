// A task of a file as the rows of the database, which nobody runs and whose questions nobody shows.

import { isSleep } from '../ids.js'
import { closeRun, freed, pageGone, shut } from '../record-changes.js'
import type { RequestRecord, StepRecord } from '../records.js'
import type { StoredCall, StoredMessage, StoredOutcome, StoredTask } from '../storage/schema.js'
import type { FileTask } from '../task-file.js'

/** The rows of one task; its `seq` is given in the transaction that stores it. */
export interface TaskInStores {
  task: Omit<StoredTask, 'seq'>
  call: Omit<StoredCall, 'taskId'>
  outcome?: StoredOutcome['outcome']
  messages: StoredMessage[]
  steps: Omit<StepRecord, 'taskId'>[]
}

const times = new Set(
  'createdAt lastUpdatedAt startedAt endedAt expiresAt fetchedAt enqueuedAt deliveredAt closedAt at'.split(' ')
)

/** All times move by what has passed since the export. */
export function storedRows(
  { task: exported, call, outcome, messages: sent, steps }: FileTask,
  owner: string,
  now: number,
  exportedAt: number
): TaskInStores {
  const shift = now - exportedAt
  const move = <Row extends object>(row: Row): Row => {
    const moved = Object.entries(row).map(([name, value]: [string, unknown]) =>
      times.has(name) ? [name, Number(value) + shift] : [name, value]
    )
    return Object.fromEntries(moved) as Row
  }
  const row: Partial<Pick<typeof exported, 'executor' | 'openCalls'>> & Omit<typeof exported, 'executor'> = {
    ...move(exported),
    ...(exported.runs && { runs: exported.runs.map(move) })
  }
  if (outcome === undefined) closeRun(row, row.lastUpdatedAt)
  delete row.executor
  delete row.openCalls
  const { taskId } = row
  const messages = sent.map((message): StoredMessage => {
    const own = { ...move(message), taskId, owner }
    return own.kind === 'request' ? unclaimed(own, now) : own
  })
  const open = messages.filter((message) => 'openTask' in message)
  const calls = open.filter((message) => 'lent' in message).length
  const counted = { openRequests: open.length, ...(calls > 0 && { openCalls: calls }) }
  const status = open.length > calls ? 'input_required' : 'working'
  return {
    task: {
      ...row,
      owner,
      ...counted,
      ...(outcome === undefined ? { status, executor: '' } : { spare: row.fetchedAt === undefined ? 1 : 0 })
    },
    call,
    ...(outcome && { outcome }),
    messages,
    // A sleep is kept as the time of its end.
    steps: steps.map(move).map((step) => (isSleep(step.key) ? { ...step, value: Number(step.value) + shift } : step))
  }
}

/** As a question is when the page that showed it has gone. */
function unclaimed(request: RequestRecord, now: number): StoredMessage {
  if (request.state !== 'pending' && request.state !== 'delivered') return request
  if (request.once) return shut(request, 'answered', now, pageGone(request))
  return { ...freed(request), openTask: request.taskId }
}
