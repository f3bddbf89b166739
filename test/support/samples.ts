// The TypeScript of the documentation, file by file, as a reader would copy it.

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** README.md and every page of docs/, by their paths from the root. */
export async function pages(): Promise<string[]> {
  const docs = await readdir(join(root, 'docs'))
  return ['README.md', ...docs.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)]
}

const quote = /^\/\/ (examples\/\S+)\n/

/** The fences of a page that quote a file of the repository: their first line is a comment with its path. */
export async function quotesOf(page: string): Promise<{ path: string; code: string }[]> {
  const text = await readFile(join(root, page), 'utf8')
  return [...text.matchAll(/```tsx?\n([\s\S]*?)```/g)].flatMap(([, code = '']) => {
    const path = quote.exec(code)?.[1]
    return path === undefined ? [] : [{ path, code: code.replace(quote, '') }]
  })
}

/**
 * Writes the samples of a page into a folder: a fence whose first line is a comment with a file's name becomes that file,
 * every other one a file of its own. An HTML comment that begins with `ts` and stands right before a fence is put in
 * front of it: what the page has declared in words. One that begins with `ts` and a file's name is that file. Resolves
 * with the names of the files that a reader sees. A quote of a file of the repository is left out: see `quotesOf`.
 */
export async function writeSamples(page: string, folder: string): Promise<string[]> {
  const text = await readFile(join(root, page), 'utf8')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const names: string[] = []
  for (const [, name = '', code = ''] of text.matchAll(/<!-- ts ([\w.-]+\.tsx?)\n([\s\S]*?)-->/g)) {
    await writeFile(join(folder, name), code)
  }
  for (const [, before = '', extension = 'ts', code = ''] of text.matchAll(
    /(?:<!-- ts\n((?:(?!-->)[\s\S])*)-->\n+)?```(tsx?)\n([\s\S]*?)```/g
  )) {
    if (quote.test(code)) continue
    const named = /^\/\/ ([\w.-]+\.tsx?)\n/.exec(code)?.[1]
    const name = named ?? `${basename(page, '.md')}-${names.length + 1}.${extension}`
    names.push(name)
    await writeFile(join(folder, name), `${before}${code}\nexport {}\n`)
  }
  return names
}
