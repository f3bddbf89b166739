// Holds the size of a Vite app that uses the packed package: gzip, in kB of 1,000 bytes. `goal` is what we want,
// `limit` what a change must not exceed; docs/speed.md says where the two part.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { pack, unpack } from './pack.mjs'
import { root } from './run.mjs'

/** @typedef {{ name: string, kB: number, limit: number, goal: number }} Size */

/**
 * Installs the packed package into a folder from which the dependencies resolve as well.
 * @param {string} folder
 */
async function install(folder) {
  const app = join(folder, 'app')
  const modules = join(app, 'node_modules')
  await unpack(await pack(folder), modules)
  cpSync(join(root, 'bench/size'), app, { recursive: true })
  // Without a package of its own the app would be part of ours, whose name then means its own unbuilt files.
  writeFileSync(join(app, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  return { app, entry: join(modules, 'intab/dist/vite.js') }
}

/**
 * The size of one entry with all that it needs at once, as Vite builds it. What is loaded when it is needed does not count.
 * @param {string} app
 * @param {string} entry
 * @param {import('vite').Plugin[]} plugins
 * @param {boolean} [later] counts as well what is loaded when it is needed
 */
async function sizeOf(app, entry, plugins, later = false) {
  const { build } = await import('vite')
  const built = await build({
    root: app,
    configFile: false,
    logLevel: 'error',
    plugins,
    worker: { format: 'es' },
    build: {
      write: false,
      target: 'es2022',
      modulePreload: { polyfill: false },
      rolldownOptions: { input: join(app, entry) }
    }
  })
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((each) => ('output' in each ? each.output : []))
  const chunks = outputs.flatMap((output) => (output.type === 'chunk' ? [output] : []))
  const loaded = new Set(chunks.filter(({ isEntry }) => isEntry || later))
  for (const { imports } of loaded) {
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) loaded.add(chunk)
  }
  return [...loaded].reduce((bytes, { code }) => bytes + gzipSync(code, { level: 9 }).length, 0) / 1000
}

/** In kB: what README.md promises, and so what a change must not exceed. */
export const promised = { tab: 10.2, worker: 82 }

/** @returns {Promise<Size[]>} */
export async function sizes() {
  const parent = join(root, 'node_modules/.intab-size')
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(join(parent, 'run-'))
  try {
    const { app, entry } = await install(folder)
    const { intab } = await import(pathToFileURL(entry).href)
    const bare = await sizeOf(app, 'without.ts', [intab()])
    const beyond = async (/** @type {string} */ tab) => (await sizeOf(app, tab, [intab()])) - bare
    const quick = await beyond('quick.ts')
    const worker = (/** @type {import('vite').Plugin[]} */ plugins) => sizeOf(app, 'worker.ts', plugins)
    const withSetup = (/** @type {import('vite').Plugin[]} */ plugins) => sizeOf(app, 'worker-setup.ts', plugins)
    return [
      { name: 'tab, beyond Client and comlink: quick start', kB: quick, limit: promised.tab, goal: 4 },
      { name: 'tab: agentTools beyond the quick start', kB: (await beyond('agent.ts')) - quick, limit: 1, goal: 1 },
      {
        name: 'tab: agentTools and intab/webmcp beyond it',
        kB: (await beyond('webmcp.ts')) - quick,
        limit: 2,
        goal: 2
      },
      { name: 'tab: intab/lend beyond it', kB: (await beyond('lend.ts')) - quick, limit: 1.8, goal: 1.7 },
      {
        name: 'tab: intab/devtools beyond the quick start, before it is mounted',
        kB: (await beyond('devtools.ts')) - quick,
        limit: 1.5,
        goal: 1
      },
      {
        name: 'tab: intab/devtools beyond the quick start, mounted',
        kB: (await sizeOf(app, 'devtools.ts', [intab()], true)) - (await sizeOf(app, 'quick.ts', [intab()], true)),
        limit: 20,
        goal: 20
      },
      { name: 'tab, beyond Client and comlink: every export', kB: await beyond('with.ts'), limit: 11.3, goal: 4 },
      { name: 'intab/tool with zod', kB: await sizeOf(app, 'tool.ts', [intab()]), limit: 37, goal: 28 },
      { name: 'worker of task tools, all in', kB: await worker([]), limit: promised.worker, goal: 60 },
      { name: 'the same with setup and intab/vite', kB: await withSetup([intab()]), limit: 96, goal: 76 },
      { name: 'the same with setup, without it', kB: await withSetup([]), limit: 153, goal: 110 }
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { ensureInstalled } = await import('./ensure.mjs')
  await ensureInstalled()
  const measured = await sizes()
  for (const { name, kB, limit, goal } of measured)
    console.log(`${kB.toFixed(1).padStart(6)} kB  (limit ${limit}, goal ${goal})  ${name}`)
  const over = measured.filter(({ kB, limit }) => !(kB <= limit)).length
  console.log(`${measured.length - over} passed, ${over} failed`)
  if (over > 0) process.exitCode = 1
}
