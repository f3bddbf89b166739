// Notes in the origin private file system: https://developer.mozilla.org/docs/Web/API/File_System_API/Origin_private_file_system

const folder = async (): Promise<FileSystemDirectoryHandle> =>
  (await navigator.storage.getDirectory()).getDirectoryHandle('notes', { create: true })

const isMissing = (error: unknown): boolean => error instanceof DOMException && error.name === 'NotFoundError'

/** Writes a note, over the one that had its name; rejects with a TypeError for a name that no file can have. */
export async function saveNote(filename: string, text: string): Promise<void> {
  const handle = await (await folder()).getFileHandle(filename, { create: true })
  const file = await handle.createWritable()
  await file.write(text)
  await file.close()
}

/** False when there was none of that name. */
export async function removeNote(filename: string): Promise<boolean> {
  try {
    await (await folder()).removeEntry(filename)
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}
