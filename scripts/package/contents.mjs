// What ships: for each file of src its module and its types, the pages, and nothing else. No source maps: the modules
// are not minified, and their comments say what a map would lead to.
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { capture } from '../outside.mjs'
import { root } from '../run.mjs'

/** @param {string} folder from the root */
async function filesIn(folder) {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
}

/**
 * @param {string} tarball
 * @throws with what is missing, and what is there and should not be
 */
export async function checkContents(tarball) {
  const sources = (await filesIn('src')).filter((path) => path.endsWith('.ts') && !path.startsWith('src/demo/'))
  const built = sources.map((path) => path.replace(/^src(.*)\.ts$/, 'dist$1'))
  const expected = new Set([
    ...built.flatMap((path) => [`${path}.js`, `${path}.d.ts`]),
    ...(await filesIn('docs')),
    'AGENTS.md',
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'SECURITY.md',
    'package.json'
  ])
  const { stdout } = await capture('tar', ['-tzf', tarball])
  const shipped = new Set(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.replace(/^package\//, ''))
  )
  const problems = [
    ...[...expected].filter((path) => !shipped.has(path)).map((path) => `${path} is missing`),
    ...[...shipped].filter((path) => !expected.has(path)).map((path) => `${path} does not belong there`)
  ]
  if (problems.length > 0) throw new Error(problems.join('\n'))
}
