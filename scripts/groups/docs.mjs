// The site of the documentation: it builds, which a dead link prevents, and works in a browser, the board in it as well.
import { join } from 'node:path'
import { sideBar } from '../../site/side-bar.mjs'
import { root } from '../run.mjs'
import { npmRun } from '../total.mjs'

/** Where the pages of the side bar are on the site. */
const addresses = sideBar(root)
  .flatMap(({ items }) => items)
  .map(({ link }) => link.replace(/\.md$/, '.html'))

async function drive() {
  const { browserArgs, ensureBrowser } = await import('../browser.mjs')
  const { chromium } = await import('@playwright/test')
  const { preview } = await import('vite')
  const server = await preview({
    configFile: false,
    root,
    build: { outDir: join(root, 'dist-site') },
    appType: 'mpa',
    preview: { port: 0 }
  })
  const browser = await chromium.launch({ executablePath: await ensureBrowser(), args: browserArgs })
  try {
    const page = await browser.newPage()
    /** @type {string[]} */
    const wrong = []
    page.on('pageerror', (error) => wrong.push(`${page.url()}: ${error.message}`))
    page.on('console', (message) => {
      if (message.type() === 'error') wrong.push(`${page.url()}: ${message.text()} (${message.location().url})`)
    })
    const origin = server.resolvedUrls?.local[0] ?? ''
    for (const address of addresses) {
      await page.goto(new URL(address, origin).href)
      // Written when the page's own script has run; a page that is not there has another one.
      await page.locator('.VPDoc h1').waitFor()
      await page.locator('.VPSidebarItem.is-active').first().waitFor()
    }
    await page.goto(new URL('docs/board.html', origin).href)
    const board = page.frameLocator('iframe')
    await board.getByText(/^connected to worker \w{4}$/).waitFor()
    await page.getByRole('link', { name: 'Live demo' }).click()
    await page.getByText(/^connected to worker \w{4}$/).waitFor()
    if (wrong.length > 0) throw new Error(`The site has errors:\n${wrong.join('\n')}`)
    console.log(`${addresses.length} pages and the board work`)
  } finally {
    await browser.close()
    await server.close()
  }
}

/** @type {import('./groups.mjs').Group} */
export const docs = {
  name: 'docs',
  scripts: ['docs'],
  run: async () => {
    const built = await npmRun('docs')
    if (built.failed > 0) return built
    await drive()
    return { ...built, passed: built.passed + 1 }
  }
}
