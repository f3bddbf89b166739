// Builds examples/agents with the packed package and drives each page in Chromium: `npm run agents`, or with the names of some.
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureInstalled } from './ensure.mjs'
import { root } from './run.mjs'

await ensureInstalled()
const { browserArgs, ensureBrowser } = await import('./browser.mjs')
const { capture, install } = await import('./outside.mjs')
const { pack, unpack } = await import('./pack.mjs')
const { steps } = await import('../test/agents/steps.mjs')

const example = join(root, 'examples', 'agents')
const { dependencies } = JSON.parse(await readFile(join(example, 'package.json'), 'utf8'))
const own = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
const { intab: _, ...others } = dependencies
const folder = await mkdtemp(join(tmpdir(), 'intab-agents-'))
let [passed, failed] = [0, 0]

/** Installs, checks, builds and serves the example. */
async function build() {
  const [modules, tarball] = [await install('agents', { ...own.dependencies, ...others }), await pack(folder)]
  await unpack(tarball, modules)
  const app = dirname(modules)
  await cp(example, app, { recursive: true, filter: (path) => !/(package\.json|node_modules|dist)$/.test(path) })
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const { code, stdout } = await capture(process.execPath, [tsc, '-p', app])
  if (code !== 0) throw new Error(`The examples do not compile:\n${stdout}`)
  /** @type {typeof import('vite')} */
  const vite = await import(pathToFileURL(join(modules, 'vite', 'dist', 'node', 'index.js')).href)
  const config = { root: app, configFile: join(app, 'vite.config.ts'), logLevel: /** @type {const} */ ('error') }
  await vite.build(config)
  /** @type {typeof import('intab/testing')} */
  const { killWorker } = await import(pathToFileURL(join(modules, 'intab', 'dist', 'testing.js')).href)
  return { killWorker, server: await vite.preview({ ...config, preview: { port: 0 } }) }
}

const asked = process.argv.slice(2)
const { killWorker, server } = await build()
const port = new URL(server.resolvedUrls?.local[0] ?? '').port
const { chromium } = await import('@playwright/test')
const browser = await chromium.launch({ executablePath: await ensureBrowser(), args: browserArgs })
try {
  for (const { library, name, run } of steps) {
    if (asked.length > 0 && !asked.includes(library)) continue
    const page = await browser.newPage()
    try {
      // An origin for each step: nothing is left of the one before.
      await run(page, `http://s${passed + failed}.localhost:${port}/${library}/`, killWorker)
      passed += 1
      console.log(`  ✓ ${library}: ${name}`)
    } catch (error) {
      failed += 1
      console.error(`  ✗ ${library}: ${name}\n`, error)
    }
    await page.close()
  }
} finally {
  await browser.close()
  await server.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
