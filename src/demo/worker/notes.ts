// Notes in the origin private file system.

import { noPrivateFiles, privateFolder } from '../private-files.js'

const folder = (): Promise<FileSystemDirectoryHandle | undefined> => privateFolder('notes')

const isMissing = (error: unknown): boolean => error instanceof DOMException && error.name === 'NotFoundError'

/** Writes a note, over the one that had its name; rejects with a TypeError for a name that no file can have. */
export async function saveNote(filename: string, text: string): Promise<void> {
  const notes = await folder()
  if (notes === undefined) throw noPrivateFiles()
  const handle = await notes.getFileHandle(filename, { create: true })
  const file = await handle.createWritable()
  await file.write(text)
  await file.close()
}

/** False when there was none of that name. */
export async function removeNote(filename: string): Promise<boolean> {
  try {
    const notes = await folder()
    await notes?.removeEntry(filename)
    return notes !== undefined
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}
