// Puts the examples where a user has them: outside this repository, with the packed package and the dependencies that
// each names in its package.json. What several of them need is installed once.
import { cp, mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { install } from '../outside.mjs'
import { pack, unpack } from '../pack.mjs'
import { root } from '../run.mjs'

/** @param {string} folder @returns {Promise<Record<string, string>>} */
const dependenciesOf = async (folder) => JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')).dependencies

/**
 * @param {string[]} names
 * @returns {Promise<Record<string, string>>}
 * @throws if two examples want different versions of a package
 */
async function dependenciesOfAll(names) {
  const all = await dependenciesOf(root)
  for (const name of names) {
    for (const [dependency, version] of Object.entries(await dependenciesOf(join(root, 'examples', name)))) {
      if (dependency === 'intab') continue
      if ((all[dependency] ?? version) !== version)
        throw new Error(`examples/${name} wants ${dependency} ${version}, another example wants ${all[dependency]}`)
      all[dependency] = version
    }
  }
  return all
}

/**
 * @param {string[]} names of folders in examples/
 * @returns {Promise<string>} the folder that holds them, for the caller to remove
 */
export async function place(names) {
  const modules = await install('examples', await dependenciesOfAll(names))
  // Dev servers do not watch what is below a node_modules, and this repository has one above that would fill gaps.
  const folder = await mkdtemp(join(tmpdir(), 'intab-examples-'))
  await cp(modules, join(folder, 'node_modules'), { recursive: true, verbatimSymlinks: true })
  // The sign of a monorepo: Next takes modules from the folder that has it.
  await cp(join(modules, '.package-lock.json'), join(folder, 'package-lock.json'))
  await unpack(await pack(folder), join(folder, 'node_modules'))
  for (const name of names) {
    await cp(join(root, 'examples', name), join(folder, name), {
      recursive: true,
      filter: (path) => !/[\\/](node_modules|dist|\.next)$/.test(path)
    })
  }
  return folder
}
