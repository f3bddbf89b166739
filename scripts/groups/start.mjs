// `npm start` in a fresh clone: it installs, builds and serves, and the board works in a browser.
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { root } from '../run.mjs'
import { freePort, serveScript } from '../served.mjs'

/** The files of a clone: what git ignores is not among them. */
async function cloneInto(/** @type {string} */ folder) {
  const ignored = (await readFile(join(root, '.gitignore'), 'utf8')).split('\n').filter((line) => line !== '')
  const names = ['.git/', ...ignored].filter((line) => line.endsWith('/')).map((line) => line.slice(0, -1))
  await cp(root, folder, { recursive: true, filter: (path) => path === root || !names.includes(basename(path)) })
}

/** @param {string} url @param {string} executablePath @param {string} profile */
async function open(url, executablePath, profile) {
  const { browserArgs } = await import('../browser.mjs')
  const { chromium } = await import('@playwright/test')
  const browser = await chromium.launchPersistentContext(profile, { executablePath, args: browserArgs })
  try {
    const page = await browser.newPage()
    /** @type {Error[]} */
    const errors = []
    page.on('pageerror', (error) => errors.push(error))
    await page.goto(url)
    await page.getByText(/^connected to worker \w{4}$/).waitFor()
    if (errors.length > 0) throw new AggregateError(errors, 'The board has errors')
  } finally {
    await browser.close()
  }
}

async function check() {
  const { ensureBrowser } = await import('../browser.mjs')
  const executablePath = await ensureBrowser()
  const folder = await mkdtemp(join(tmpdir(), 'intab-start-'))
  const clone = join(folder, 'clone')
  try {
    await cloneInto(clone)
    const server = await serveScript(clone, 'start', await freePort())
    try {
      await open(server.url, executablePath, join(folder, 'profile'))
      console.log(`The board of a fresh clone connects, served at ${server.url}`)
    } finally {
      await server.close()
    }
  } finally {
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
