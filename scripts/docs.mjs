// Builds the site of the documentation into dist-site/, the board with it: `npm run docs`. `npm run docs -- dev` serves it and
// follows every edit, on the port of $PORT if there is one; `--base /intab/` builds it for a folder of a host. VitePress is installed apart: it is 100 MB.
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { ensureInstalled } from './ensure.mjs'
import { root } from './run.mjs'

/**
 * What we use of VitePress.
 * @typedef {{
 *   build(root: string, options: { base?: string }): Promise<void>
 *   createServer(root: string, options: { base?: string, port?: number }): Promise<import('vite').ViteDevServer>
 * }} VitePress
 */

const { values, positionals } = parseArgs({ options: { base: { type: 'string' } }, allowPositionals: true })
const [mode = 'build'] = positionals
if (positionals.length > 1 || !['build', 'dev'].includes(mode)) {
  console.error(`npm run docs knows build and dev (got ${positionals.join(' ')})`)
  process.exit(1)
}

await ensureInstalled()
const { install } = await import('./outside.mjs')
const { build } = await import('vite')
const site = join(root, 'site')
const { devDependencies } = JSON.parse(await readFile(join(site, 'package.json'), 'utf8'))
const modules = await install('docs', devDependencies)

const publicFiles = join(root, 'node_modules', '.cache', 'intab', 'site', 'public')
await rm(publicFiles, { recursive: true, force: true })
await build({ root, logLevel: 'warn', build: { outDir: join(publicFiles, 'board'), emptyOutDir: true } })
// Set by that build. With it, VitePress would serve pages that wait for a build of their own.
delete process.env.NODE_ENV

/** @type {VitePress} */
const vitepress = await import(pathToFileURL(join(modules, 'vitepress', 'dist', 'node', 'index.js')).href)
const options = values.base === undefined ? {} : { base: values.base }
if (mode === 'dev') {
  const { PORT: port } = process.env
  const server = await vitepress.createServer(site, { ...options, ...(port && { port: Number(port) }) })
  await server.listen()
  server.printUrls()
} else {
  await vitepress.build(site, options)
}
