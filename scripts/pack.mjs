// Packs what the compiler makes of src, as `npm publish` would.
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run, runTool } from './run.mjs'

/**
 * @param {string} folder for the tarball
 * @returns {Promise<string>} the path of the tarball
 */
export async function pack(folder) {
  const source = join(folder, 'source')
  mkdirSync(source, { recursive: true })
  for (const file of ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE']) {
    if (existsSync(join(root, file))) cpSync(join(root, file), join(source, file))
  }
  const compiled = await runTool('tsc', ['-p', 'tsconfig.build.json', '--outDir', join(source, 'dist')])
  if (compiled !== 0) throw new Error('The package does not compile: see above')
  const packed = await run('npm', ['pack', source, '--silent', '--ignore-scripts', '--pack-destination', folder])
  if (packed !== 0) throw new Error('The package could not be packed: see above')
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return join(folder, `intab-${version}.tgz`)
}

/**
 * @param {string} tarball
 * @param {string} modules the node_modules to put the package into
 */
export async function unpack(tarball, modules) {
  const installed = join(modules, 'intab')
  mkdirSync(installed, { recursive: true })
  const code = await run('tar', ['-xzf', tarball, '-C', installed, '--strip-components', '1'])
  if (code !== 0) throw new Error('The package could not be unpacked: see above')
}
