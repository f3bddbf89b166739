// The site of the documentation works in a browser, the board in it as well: built for a folder of a host, and served while it
// is written. A dead link fails the build.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sideBar } from '../../site/side-bar.mjs'
import { install } from '../outside.mjs'
import { root } from '../run.mjs'
import { freePort, serveScript } from '../served.mjs'
import { npmRun } from '../total.mjs'

const base = '/intab/'
const site = join(root, 'site')

/** Where the pages of the side bar are on the site. */
const addresses = sideBar(root)
  .flatMap(({ items }) => items)
  .map(({ link }) => link.replace(/\.md$/, '.html'))

/**
 * Opens pages of the site and the board in it; rejects with what went wrong in any of them.
 * @param {string} origin with the base
 * @param {string[]} pages
 * @param {boolean} [complete] false while the site is written: VitePress then fetches an icon from the network
 */
async function drive(origin, pages, complete = true) {
  const { browserArgs, ensureBrowser } = await import('../browser.mjs')
  const { chromium } = await import('@playwright/test')
  const browser = await chromium.launch({ executablePath: await ensureBrowser(), args: browserArgs })
  try {
    const page = await browser.newPage()
    /** @type {string[]} */
    const wrong = []
    page.on('pageerror', (error) => wrong.push(`${page.url()}: ${error.message}`))
    page.on('console', (message) => {
      if (complete && message.type() === 'error')
        wrong.push(`${page.url()}: ${message.text()} (${message.location().url})`)
    })
    page.on('response', (response) => {
      if (complete && response.status() >= 400) wrong.push(`${page.url()}: ${response.status()} ${response.url()}`)
    })
    const open = (/** @type {string} */ address) => page.goto(new URL(`.${address}`, origin).href)
    for (const address of pages) {
      await open(address)
      // Written when the page's own script has run; a page that is not there has another one.
      await page.locator('.VPDoc h1').waitFor()
      await page.locator('.VPSidebarItem.is-active').first().waitFor()
      // Chromium asks for it by itself, and tells no page that it is missing.
      for (const icon of await page.locator('link[rel=icon]').all()) {
        const { status, url } = await fetch(new URL((await icon.getAttribute('href')) ?? '', page.url()))
        if (status !== 200) wrong.push(`${page.url()}: its icon ${url} has status ${status}`)
      }
    }
    await open('/docs/board.html')
    await page
      .frameLocator('iframe')
      .getByText(/^connected to worker \w{4}$/)
      .waitFor()
    await page.getByRole('link', { name: 'Live demo' }).click()
    await page.getByText(/^connected to worker \w{4}$/).waitFor()
    if (wrong.length > 0) throw new Error(`The site has errors:\n${wrong.join('\n')}`)
    console.log(`${pages.length} pages and the board work at ${origin}`)
  } finally {
    await browser.close()
  }
}

async function driveBuilt() {
  const { preview } = await import('vite')
  const server = await preview({
    configFile: false,
    root,
    base,
    build: { outDir: join(root, 'dist-site') },
    appType: 'mpa',
    preview: { port: 0 }
  })
  try {
    await drive(server.resolvedUrls?.local[0] ?? '', addresses)
  } finally {
    await server.close()
  }
}

/** `npm run docs -- dev`. */
async function driveDev() {
  const server = await serveScript(root, 'docs', await freePort(), ['dev'])
  try {
    await drive(server.url, ['/docs/tasks.html'], false)
  } finally {
    await server.close()
  }
}

/** Builds one page with a link that leads nowhere, by the site's own configuration. */
async function refuseDeadLink() {
  const { devDependencies } = JSON.parse(await readFile(join(site, 'package.json'), 'utf8'))
  const modules = await install('docs', devDependencies)
  const vitepress = await import(pathToFileURL(join(modules, 'vitepress', 'dist', 'node', 'index.js')).href)
  const folder = await mkdtemp(join(tmpdir(), 'intab-docs-'))
  const places = JSON.stringify({ srcDir: folder, outDir: join(folder, 'out'), cacheDir: join(folder, 'cache') })
  const config = pathToFileURL(join(site, '.vitepress', 'config.mjs')).href
  try {
    await mkdir(join(folder, '.vitepress'))
    await writeFile(
      join(folder, '.vitepress', 'config.mjs'),
      `import config from '${config}'\nexport default { ...config, ...${places}, rewrites: {} }\n`
    )
    await writeFile(join(folder, 'index.md'), '# A page\n\n[nowhere](nowhere.md)\n')
    const failure = await vitepress.build(folder).then(
      () => 'none',
      (/** @type {Error} */ error) => error.message
    )
    if (!failure.includes('dead link'))
      throw new Error(`A dead link must fail the build of the site (it failed with: ${failure})`)
    console.log('A dead link fails the build')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** @type {import('./groups.mjs').Group} */
export const docs = {
  name: 'docs',
  scripts: ['docs'],
  run: async () => {
    const built = await npmRun('docs', ['--base', base])
    if (built.failed > 0) return built
    await driveBuilt()
    await driveDev()
    await refuseDeadLink()
    return { ...built, passed: built.passed + 3 }
  }
}
