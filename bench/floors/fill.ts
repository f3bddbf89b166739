// Puts finished tasks into a database of intab's, past intab: 100,000 by its own road would take minutes.

import { outcomeRow, taskRow } from './raw-database.js'

const atOnce = 2000

/** Resolves with ids of some of them, spread evenly; the database exists, and its server has no other tasks. */
export async function fill(name: string, count: number): Promise<string[]> {
  const opening = indexedDB.open(name)
  await new Promise((resolve, reject) => {
    opening.onsuccess = resolve
    opening.onerror = () => reject(opening.error)
  })
  const db = opening.result
  const known: string[] = []
  for (let seq = 1; seq <= count;) {
    const tx = db.transaction(['tasks', 'outcomes', 'owners'], 'readwrite')
    const done = new Promise((resolve, reject) => {
      tx.oncomplete = resolve
      tx.onabort = () => reject(tx.error)
    })
    for (let i = 0; i < atOnce && seq <= count; i += 1, seq += 1) {
      const taskId = crypto.randomUUID()
      const row: { executor?: string } = taskRow(taskId, seq, { status: 'completed', spare: 1 })
      delete row.executor
      tx.objectStore('tasks').put(row)
      tx.objectStore('outcomes').put(outcomeRow(taskId))
      if (seq % Math.ceil(count / 500) === 0) known.push(taskId)
    }
    tx.objectStore('owners').put({ owner: 'everybody', unfinished: 0, kept: seq - 1, nextSeq: seq })
    await done
  }
  db.close()
  return known
}
