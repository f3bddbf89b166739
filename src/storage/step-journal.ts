import type { Limits, StepJournal } from '../types.js'
import { plainJson } from '../plain-json.js'
import { fenced, prove } from './task-row.js'
import type { Transactions } from './transaction.js'

export function openStepJournal(transactions: Transactions, limits: Limits): StepJournal {
  return {
    find: (taskId, key) => transactions.read((tx) => tx.objectStore('steps').get([taskId, key])),

    async record(fence, key, value, at) {
      const clean = value === undefined ? undefined : plainJson(value, 'value', limits.bytes).value
      return transactions.write('step', async (write) => {
        const task = await fenced(write, fence)
        if (task === undefined) return false
        const kept = clean === undefined ? {} : { value: clean }
        const row = { taskId: task.taskId, key, ...kept, at: at ?? write.now }
        prove(write, task)
        write.put('steps', row)
        return true
      })
    }
  }
}
