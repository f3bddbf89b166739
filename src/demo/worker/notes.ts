// Notes in the origin private file system; some browsers have none, as WebKitGTK and private windows of Firefox.
// https://developer.mozilla.org/docs/Web/API/File_System_API/Origin_private_file_system

/** Made if it is not there; undefined without such a file system. */
async function folder(): Promise<FileSystemDirectoryHandle | undefined> {
  const { storage } = navigator as { storage?: Partial<StorageManager> }
  const root = await storage?.getDirectory?.()
  return root?.getDirectoryHandle('notes', { create: true })
}

const isMissing = (error: unknown): boolean => error instanceof DOMException && error.name === 'NotFoundError'

/** Writes a note, over the one that had its name; rejects with a TypeError for a name that no file can have. */
export async function saveNote(filename: string, text: string): Promise<void> {
  const notes = await folder()
  if (notes === undefined) {
    throw new Error(
      'This browser has no private file system here: try a window that is not private, or another browser'
    )
  }
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
