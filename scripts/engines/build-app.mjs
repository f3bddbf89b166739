// The pages of test/engines and the board, built as an app builds its own: from the packed product.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { smallRuntime } from '../model-worker.mjs'
import { pack, unpack } from '../pack.mjs'
import { root } from '../run.mjs'
import { serviceWorker } from '../service-worker.mjs'

const parent = join(root, 'node_modules/.intab-engines')

/** @returns {Promise<string>} the folder with what was built, which the next build removes */
export async function buildApp() {
  if (existsSync(parent)) rmSync(parent, { recursive: true })
  mkdirSync(parent)
  const folder = mkdtempSync(join(parent, 'run-'))
  const app = join(folder, 'app')
  await unpack(await pack(folder), join(app, 'node_modules'))
  // Without a package of its own the app would be part of ours, whose name then means its own unbuilt files.
  writeFileSync(join(app, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const { intab } = await import(pathToFileURL(join(app, 'node_modules/intab/dist/vite.js')).href)
  const { build } = await import('vite')
  for (const name of ['index.html', 'public', 'src/demo'])
    cpSync(join(root, name), join(app, name), { recursive: true })
  cpSync(join(root, 'test/engines/app'), app, { recursive: true })
  const pages = readdirSync(app).filter((name) => name.endsWith('.html'))
  const outDir = join(app, 'dist')
  await build({
    root: app,
    configFile: false,
    logLevel: 'warn',
    base: './',
    worker: { format: 'es', plugins: () => [smallRuntime()] },
    plugins: [
      intab(),
      smallRuntime(),
      serviceWorker(join(app, 'index.html'), join(app, 'src/demo/offline/service-worker.ts'))
    ],
    build: {
      outDir,
      target: 'es2022',
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      rolldownOptions: { input: pages.map((name) => join(app, name)) }
    }
  })
  // What has no place in a package, the contracts of its parts, is built from the source.
  const config = { configFile: join(root, 'test/e2e/vite.config.ts'), logLevel: /** @type {const} */ ('warn') }
  await build({ ...config, build: { outDir: join(outDir, 'e2e'), emptyOutDir: true } })
  return outDir
}
