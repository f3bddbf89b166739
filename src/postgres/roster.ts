import { closeRun } from '../record-changes.js'
import { plainJson } from '../plain-json.js'
import type { Limits, Roster, StepJournal, StepRecord, TaskRecord, ToolCall } from '../types.js'
import { fenced, prove, save } from './task-row.js'
import type { Transactions } from './transactions.js'

/** Tasks that one transaction gives up. */
const pageSize = 100

export function openRoster(transactions: Transactions): Roster {
  const { read } = transactions
  return {
    async executors() {
      const rows = await read<{ executor: string }>(
        'SELECT executor FROM tasks WHERE executor IS NOT NULL GROUP BY executor ORDER BY executor COLLATE "C"'
      )
      return rows.map(({ executor }) => executor)
    },

    async claimants() {
      const rows = await read<{ claimed_by: string }>(
        'SELECT claimed_by FROM messages WHERE claimed_by IS NOT NULL GROUP BY claimed_by ORDER BY claimed_by COLLATE "C"'
      )
      return rows.map((row) => row.claimed_by)
    },

    async unfinished(executor) {
      const rows = await read<{ record: TaskRecord }>('SELECT record FROM tasks WHERE executor = $1', [executor])
      return rows.map(({ record }) => record)
    },

    adopt: (fence, executor) =>
      transactions.write('adopt', async (write) => {
        const task = await fenced(write, fence)
        if (task === undefined) return undefined
        const [row] = await write.sql<{ call: ToolCall }>('SELECT call FROM calls WHERE task_id = $1', [fence.taskId])
        if (row === undefined) return undefined
        closeRun(task, task.lastUpdatedAt)
        task.executor = executor
        task.attempt += 1
        task.startedAt = write.now
        await save(write, task)
        // Whoever ran it may have died before it told of a question: all are to be read.
        if (task.openRequests > 0) write.changed(task.taskId)
        return { task, call: row.call }
      }),

    async abandon(executor) {
      if (executor === '') return
      for (let more = true; more;) {
        more = await transactions.write('abandon', async (write) => {
          const rows = await write.sql<{ record: TaskRecord }>(
            'SELECT record FROM tasks WHERE executor = $1 ORDER BY task_id LIMIT $2 FOR UPDATE',
            [executor, pageSize]
          )
          for (const { record } of rows) {
            closeRun(record, write.now, true)
            await save(write, { ...record, executor: '' })
          }
          return rows.length === pageSize
        })
      }
    }
  }
}

/** Values of steps that are kept beside the task; an engine with a journal of its own needs none. */
export function openStepJournal(transactions: Transactions, limits: Limits): StepJournal {
  return {
    async find(taskId, key) {
      const [row] = await transactions.read<{ step: StepRecord }>(
        'SELECT step FROM steps WHERE task_id = $1 AND key = $2',
        [taskId, key]
      )
      return row?.step
    },

    async record(fence, key, value, at) {
      const clean = value === undefined ? undefined : plainJson(value, 'value', limits.bytes).value
      return transactions.write('step', async (write) => {
        const task = await fenced(write, fence)
        if (task === undefined) return false
        const kept = clean === undefined ? {} : { value: clean }
        const step: StepRecord = { taskId: task.taskId, key, ...kept, at: at ?? write.now }
        await prove(write, task)
        await write.sql(
          `INSERT INTO steps (task_id, key, step) VALUES ($1, $2, $3)
           ON CONFLICT (task_id, key) DO UPDATE SET step = excluded.step`,
          [task.taskId, key, JSON.stringify(step)]
        )
        return true
      })
    }
  }
}
