// `npm start` in a fresh clone: it installs, builds and serves, and the board works in a browser.
import { spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { root } from '../run.mjs'

/** The files of a clone: what git ignores is not among them. */
async function cloneInto(/** @type {string} */ folder) {
  const ignored = (await readFile(join(root, '.gitignore'), 'utf8')).split('\n').filter((line) => line !== '')
  const names = ['.git/', ...ignored].filter((line) => line.endsWith('/')).map((line) => line.slice(0, -1))
  await cp(root, folder, { recursive: true, filter: (path) => path === root || !names.includes(basename(path)) })
}

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, () => resolve(undefined)))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('No free port')
  return address.port
}

/**
 * Resolves with the server's address once it says so.
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<string>}
 */
const served = (child) =>
  new Promise((resolve, reject) => {
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (chunk) => {
        said += chunk
        const [, url] = /Local:\s+(http:\S+)\n/.exec(said) ?? []
        if (url) resolve(url)
      })
    child.on('exit', (code) => reject(new Error(`npm start ended with ${code}:\n${said}`)))
  })

async function check() {
  const { browserArgs, ensureBrowser } = await import('../browser.mjs')
  const executablePath = await ensureBrowser()
  const { chromium } = await import('@playwright/test')
  const folder = await mkdtemp(join(tmpdir(), 'intab-start-'))
  const clone = join(folder, 'clone')
  await cloneInto(clone)
  // A group of its own: npm does not pass a signal on to the script.
  const child = spawn('npm', ['start'], {
    cwd: clone,
    detached: true,
    // Colour would stand in the middle of the address.
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, PORT: String(await freePort()) },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  try {
    const url = await served(child)
    const browser = await chromium.launchPersistentContext(join(folder, 'profile'), {
      executablePath,
      args: browserArgs
    })
    try {
      const page = await browser.newPage()
      /** @type {Error[]} */
      const errors = []
      page.on('pageerror', (error) => errors.push(error))
      await page.goto(url)
      await page.getByText(/^connected to worker \w{4}$/).waitFor()
      if (errors.length > 0) throw new AggregateError(errors, 'The board has errors')
      console.log(`The board of a fresh clone connects, served at ${url}`)
    } finally {
      await browser.close()
    }
  } finally {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    if (child.exitCode === null && child.pid !== undefined) {
      process.kill(-child.pid)
      await ended
    }
    await rm(folder, { recursive: true, force: true })
  }
}

/** @type {import('./groups.mjs').Group} */
export const start = {
  name: 'start',
  scripts: ['start'],
  run: async () => {
    await check()
    return { passed: 1, failed: 0, skipped: 0 }
  }
}
