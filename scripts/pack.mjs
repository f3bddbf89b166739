// The tarball that `npm publish` would send, for whatever tries the package as its users get it.
import { readFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { root, run } from './run.mjs'

/**
 * Builds dist/, by the script `prepack`, and packs what `files` in package.json names.
 * @param {string} folder for the tarball
 * @returns {Promise<string>} the path of the tarball
 */
export async function pack(folder) {
  if ((await run('npm', ['pack', '--silent', '--pack-destination', folder])) !== 0)
    throw new Error('The package could not be packed: see above')
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  return join(folder, `intab-${version}.tgz`)
}

/**
 * @param {string} tarball
 * @param {string} modules the node_modules to put the package into
 */
export async function unpack(tarball, modules) {
  const installed = join(modules, 'intab')
  await mkdir(installed, { recursive: true })
  const code = await run('tar', ['-xzf', tarball, '-C', installed, '--strip-components', '1'])
  if (code !== 0) throw new Error('The package could not be unpacked: see above')
}
