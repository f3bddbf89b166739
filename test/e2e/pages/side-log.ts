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

/** All notes; they are gone from the log. */
export async function takeNotes(): Promise<string[]> {
  const db = await open()
  const tx = db.transaction('notes', 'readwrite')
  const all = (await tx.store.getAll()) as string[]
  await tx.store.clear()
  await tx.done
  db.close()
  return all
}
