// The code of the README, file by file: a fence whose first line is a comment with the file's name.

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Writes the README's files into a folder of their own; resolves with its path. */
export async function writeReadmeFiles(name: string): Promise<string> {
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  const folder = join(root, 'node_modules', '.cache', name)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const [, code = '', file = ''] of readme.matchAll(/```ts\n(\/\/ (\S+\.ts)\n[\s\S]*?)```/g)) {
    await writeFile(join(folder, file), code)
  }
  return folder
}
