import type { Transactions, Write } from './transaction.js'
import { within } from './within.js'
import { type Job, WriteLine } from './write-line.js'

interface Gathered<Item, T> extends Job {
  item: Item
  resolve(value: T): void
}

/**
 * Writes of one kind, of which those that come while one is under way share the next: the body gets all of them, to read
 * what they need in one round, and resolves with their results in order.
 */
export function gather<Item, T>(
  transactions: Transactions,
  name: string,
  body: (write: Write, items: readonly Item[]) => Promise<T[]>
): (item: Item) => Promise<T> {
  const line = new WriteLine<Gathered<Item, T>>(async (jobs) => {
    const items = jobs.map(({ item }) => item)
    const values = await transactions.write(name, (write) => body(write, items))
    for (const [n, value] of values.entries()) jobs[n]?.resolve(value)
  })
  return (item) =>
    within(
      transactions.deadline,
      (signal) => new Promise((resolve, fail) => void line.add({ signal, item, resolve, fail }).catch(fail))
    )
}
