// Drives the examples in Chromium, as a user has them: with the packed package, by the dev server and by the production
// build, each before and after an edit of the worker. `npm run examples`, or with the names of some.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureInstalled } from './ensure.mjs'
import { root } from './run.mjs'

await ensureInstalled()
const { browserArgs, ensureBrowser } = await import('./browser.mjs')
const { capture } = await import('./outside.mjs')
const { freePort, serveScript } = await import('./served.mjs')
const { answersAnew, drive, edit, opensDevtools } = await import('./examples/drive.mjs')
const { place } = await import('./examples/place.mjs')
const { chromium } = await import('@playwright/test')

/**
 * `bundler` is the end of the names of its scripts; `compiles` if its build does not check its types; `devtools` if a
 * button opens them.
 * @typedef {{ name: string, bundler?: string, compiles?: boolean, devtools?: boolean }} Example
 * @type {Example[]}
 */
const all = [
  { name: 'vanilla' },
  { name: 'react', compiles: true, devtools: true },
  { name: 'webpack', compiles: true },
  { name: 'webpack', bundler: ':rspack' },
  { name: 'next' }
]
const asked = process.argv.slice(2)
const examples = all.filter(({ name }) => asked.length === 0 || asked.includes(name))
const placed = await place([...new Set(examples.map(({ name }) => name))])
const browser = await chromium.launch({ executablePath: await ensureBrowser(), args: browserArgs })
let [passed, failed] = [0, 0]

/** @param {string} name @param {() => Promise<void>} check */
async function attempt(name, check) {
  try {
    await check()
    passed += 1
    console.log(`  ✓ ${name}`)
  } catch (error) {
    failed += 1
    console.error(`  ✗ ${name}\n`, error)
  }
}

/** @param {string} folder @param {string} command */
async function succeeds(folder, command) {
  const [program = '', ...args] = command.split(' ')
  const { code, stdout, stderr } = await capture(program, args, { cwd: folder })
  if (code !== 0) throw new Error(`${command} ended with exit code ${code}:\n${stdout}${stderr}`)
}

/** @param {string} folder */
async function workerOf(folder) {
  const files = await readdir(folder, { recursive: true })
  const file = files.find((path) => /^[^.]*\.worker\.[jt]s$/.test(path))
  if (file === undefined) throw new Error(`${folder} has no worker`)
  return join(folder, file)
}

/**
 * The dev server: the page takes an edit of the worker without a reload.
 * @param {string} folder
 * @param {Example} example
 */
async function inDevelopment(folder, { bundler = '', devtools = false }) {
  const port = await freePort()
  const server = await serveScript(folder, `dev${bundler}`, port, ['--port', String(port)])
  const context = await browser.newContext()
  let undo = async () => {}
  try {
    const page = await drive(context, server.url)
    if (devtools) await opensDevtools(page)
    undo = await edit(await workerOf(folder))
    await answersAnew(page)
  } finally {
    await undo()
    await context.close()
    await server.close()
  }
}

/**
 * A production build and, while a tab is open, its successor: a new tab has the new worker.
 * @param {string} folder
 * @param {Example} example
 */
async function deployed(folder, { bundler = '', devtools = false }) {
  const port = await freePort()
  const serve = async () => {
    await succeeds(folder, `npm run build${bundler}`)
    return serveScript(folder, 'start', port, ['--port', String(port)])
  }
  const context = await browser.newContext()
  let server = await serve()
  let undo = async () => {}
  try {
    const first = await drive(context, server.url)
    if (devtools) await opensDevtools(first)
    undo = await edit(await workerOf(folder))
    await server.close()
    server = await serve()
    const page = await context.newPage()
    await page.goto(server.url)
    await answersAnew(page)
  } finally {
    await undo()
    await context.close()
    await server.close()
  }
}

for (const example of examples) {
  const { name, bundler = '', compiles } = example
  const folder = join(placed, name)
  if (compiles) {
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    await attempt(`${name}: compiles`, () => succeeds(folder, `${process.execPath} ${tsc} -p .`))
  }
  await attempt(`${name}${bundler}: production build, and a new one`, () => deployed(folder, example))
  await attempt(`${name}${bundler}: dev server, and an edit`, () => inDevelopment(folder, example))
}
await browser.close()
await rm(placed, { recursive: true, force: true, maxRetries: 5 })
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
