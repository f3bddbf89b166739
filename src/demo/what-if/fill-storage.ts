// Writes until the browser refuses, and looks at what becomes of a task then.

import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { runTask } from 'intab'
import { bytes } from '../format.js'
import { noPrivateFiles, privateFolder, removePrivateFolder, storageUse } from '../private-files.js'
import type { Accident } from './accident.js'
import { compare, survey } from './survey.js'

const MB = 1_000_000
/** Large ones first; the small ones fill what is left between them and the quota. */
const sizes = [256 * MB, 32 * MB, 4 * MB, MB / 4, MB / 32, MB / 256]
const smallest = Math.min(...sizes)
const folderName = 'ballast'

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
async function fill(tell: (text: string) => void, signal: AbortSignal): Promise<number> {
  const folder = await privateFolder(folderName)
  if (folder === undefined) throw noPrivateFiles()
  let written = 0
  for (const size of sizes) {
    for (let i = 0; !signal.aborted && (await write(folder, `${size}-${i}`, size)); i++) {
      written += size
      tell(`${bytes(written)} written …`)
    }
  }
  return written
}

async function tryTask(client: Client): Promise<string> {
  try {
    const run = await runTask(client, { name: 'fail_on_purpose', arguments: { how: 'result' } })
    await run.result()
    return `A small task still found room and ended as ${run.task.status}.`
  } catch (error) {
    const { message, data } = error as { message: string; data?: { usage?: number; quota?: number } }
    const room = data?.quota === undefined ? '' : ` (${bytes(data.usage ?? 0)} of ${bytes(data.quota)})`
    return `A new task is refused: ${message.replace(/^MCP error -?\d+: /, '')}${room}`
  }
}

/** `confirmed` asks the person, as this may write many gigabytes. */
export const fillStorage = (client: Client, confirmed: (text: string) => boolean): Accident => ({
  title: 'The disk is full',
  description:
    "Writes files until the browser's own quota refuses more, tries to start a task, and frees the space again.",
  label: 'Fill the storage',
  async run(tell) {
    const { quota = 0, usage = 0 } = (await storageUse()) ?? {}
    const room = bytes(Math.max(0, quota - usage))
    if (!confirmed(`This writes up to ${room} to your disk, and frees it again. Go on?`))
      return ['Nothing was written.']
    const before = await survey(client)
    const leaving = new AbortController()
    addEventListener('pagehide', () => leaving.abort(), { once: true })
    try {
      const written = await fill(tell, leaving.signal)
      const lines = [`Full after ${bytes(written)}.`, await tryTask(client)]
      return [...lines, ...compare(before, await survey(client)), 'The space is free again.']
    } finally {
      await removePrivateFolder(folderName)
    }
  }
})
