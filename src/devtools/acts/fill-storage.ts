// Writes until the browser refuses, so that the app can be tried with a full disk.

import { bytes } from '../words.js'
import type { Act } from './act.js'
import { compare, survey, type Survey } from './survey.js'
import type { ConnectedClient } from '../../protocol/connected-client.js'

const MB = 1_000_000
/** Large ones first; the small ones fill what is left between them and the quota. */
const sizes = [256 * MB, 32 * MB, 4 * MB, MB / 4, MB / 32, MB / 256]
const smallest = Math.min(...sizes)
const folderName = 'intab-ballast'

/** The origin private file system: https://developer.mozilla.org/docs/Web/API/File_System_API/Origin_private_file_system */
async function files(): Promise<FileSystemDirectoryHandle> {
  const storage = (navigator as Partial<Navigator>).storage as Partial<StorageManager> | undefined
  const root = await storage?.getDirectory?.()
  if (root !== undefined) return root
  throw new Error('This browser has no private file system here: try a window that is not private, or another browser')
}

/** False when the quota refuses, which it may do at any of these steps. */
async function write(folder: FileSystemDirectoryHandle, name: string, size: number): Promise<boolean> {
  try {
    const file = await (await folder.getFileHandle(name, { create: true })).createWritable()
    await file.write(new Uint8Array(size))
    await file.close()
    return true
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    // Chromium may break its pipe to a large file before it says that there is no room.
    if (error.name === 'QuotaExceededError' || size > smallest) return false
    throw error
  }
}

/** Writes files until none of any size fits; resolves with how many bytes that took. */
async function fill(root: FileSystemDirectoryHandle, tell: (text: string) => void, signal: AbortSignal) {
  const folder = await root.getDirectoryHandle(folderName, { create: true })
  let written = 0
  for (const size of sizes) {
    for (let i = 0; !signal.aborted && (await write(folder, `${size}-${i}`, size)); i++) {
      written += size
      tell(`${bytes(written)} written …`)
    }
  }
  return written
}

/** False when nothing was there. */
const free = (root: FileSystemDirectoryHandle): Promise<boolean> =>
  root.removeEntry(folderName, { recursive: true }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof DOMException && error.name === 'NotFoundError') return false
      throw error
    }
  )

/** Asks the person first, as this may write many gigabytes. */
export function fillStorage(client: ConnectedClient): Act {
  let before: Survey | undefined
  return {
    title: 'The disk is full',
    description:
      "Writes files until the browser's own quota refuses more. Start a task then, or let one end. Press again to free " +
      'the space, also after a reload.',
    label: 'Fill or free the storage',
    async run(tell, signal) {
      const root = await files()
      if (await free(root)) {
        const lines = before === undefined ? [] : compare(before, await survey(client))
        return ['The space is free again.', ...lines]
      }
      const { quota = 0, usage = 0 } = await navigator.storage.estimate()
      const room = bytes(Math.max(0, quota - usage))
      if (!confirm(`This writes up to ${room} to your disk, until you free it again. Go on?`)) {
        return ['Nothing was written.']
      }
      before = await survey(client)
      return [`Full after ${bytes(await fill(root, tell, signal))}. Press again to free the space.`]
    }
  }
}
