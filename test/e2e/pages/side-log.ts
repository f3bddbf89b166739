// What tools write beside intab's own records, durable before they go on, so that a test can count effects.

import { openDB } from 'idb'

const open = () =>
  openDB('side-log', 1, {
    upgrade(db) {
      db.createObjectStore('notes', { autoIncrement: true })
    }
  })

export async function note(text: string): Promise<void> {
  const db = await open()
  await db.put('notes', text)
  db.close()
}

export async function notes(): Promise<string[]> {
  const db = await open()
  const all = (await db.getAll('notes')) as string[]
  db.close()
  return all
}
