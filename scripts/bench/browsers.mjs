// Opens the pages of the bench in a browser and has them measure.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { browserArgs, ensureBrowser } from '../browser.mjs'
import { root } from '../run.mjs'

/** @typedef {import('../../bench/pages/page.js').Wish} Wish */
/** @typedef {import('../../bench/pages/page.js').Report & { browser: string }} Report */

/**
 * What the page cannot do itself, over the browser's own protocol.
 * @param {import('@playwright/test').BrowserContext} context
 */
async function reach(context) {
  const session = await context.browser()?.newBrowserCDPSession()
  if (session === undefined) throw new Error('This browser has no session of its own')
  /** @param {string} url */
  const find = async (url) => {
    const { targetInfos } = await session.send('Target.getTargets', { filter: [{}] })
    const found = targetInfos.find((target) => target.type === 'shared_worker' && target.url.includes(url))
    if (found === undefined) throw new Error(`No SharedWorker has '${url}' in its URL`)
    return found.targetId
  }
  let id = 0
  /** @type {Map<number, (result: { usedSize?: number }) => void>} */
  const waiting = new Map()
  session.on('Target.receivedMessageFromTarget', ({ message }) => {
    const response = JSON.parse(message)
    waiting.get(response.id)?.(response.result)
  })
  /** @param {string} sessionId @param {string} method @returns {Promise<{ usedSize?: number }>} */
  const ask = async (sessionId, method) => {
    id += 1
    const answered = new Promise((resolve) => waiting.set(id, resolve))
    await session.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method }) })
    return answered
  }
  return {
    /** @param {string} url */
    endWorker: async (url) => {
      await session.send('Target.closeTarget', { targetId: await find(url) })
    },
    /** @param {string} url */
    workerHeap: async (url) => {
      const { sessionId } = await session.send('Target.attachToTarget', { targetId: await find(url), flatten: false })
      for (let i = 0; i < 3; i += 1) await ask(sessionId, 'HeapProfiler.collectGarbage')
      const { usedSize } = await ask(sessionId, 'Runtime.getHeapUsage')
      await session.send('Target.detachFromTarget', { sessionId })
      return usedSize
    }
  }
}

/**
 * Chromium, with rows that only its own protocol can measure.
 * @param {string} url
 * @param {string} folder for the profile
 * @param {Wish} wish
 * @returns {Promise<Report>}
 */
export async function inChromium(url, folder, wish) {
  const { chromium } = await import('@playwright/test')
  const executablePath = await ensureBrowser()
  const context = await chromium.launchPersistentContext(join(folder, 'profile'), { executablePath, args: browserArgs })
  try {
    const page = await context.newPage()
    page.on('console', (message) => console.log(message.text()))
    page.on('pageerror', (error) => console.error(error))
    for (const [name, act] of Object.entries(await reach(context))) await page.exposeFunction(name, act)
    await page.goto(url)
    await page.waitForFunction(() => 'bench' in globalThis)
    const report = await page.evaluate((asked) => globalThis.bench(asked), wish)
    return { ...report, browser: `Chromium ${context.browser()?.version()}` }
  } finally {
    await context.close()
  }
}

/**
 * Another engine, as `npm run e2e:engines` drives it, once `INTAB_ENGINES` has it: without the rows of deaths and memory, which nothing there tells.
 * @param {string} engine
 * @param {string} url
 * @param {string} folder for the profile
 * @param {Wish} wish
 * @returns {Promise<Report>}
 */
export async function inEngine(engine, url, folder, wish) {
  // The drivers are TypeScript, and Vite is here anyhow.
  const { createServer } = await import('vite')
  const loader = await createServer({
    root,
    configFile: false,
    logLevel: 'error',
    appType: 'custom',
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, hmr: false, watch: null }
  })
  const { launchOf } = /** @type {typeof import('../../test/engines/targets.js')} */ (
    await loader.ssrLoadModule('/test/engines/targets.ts')
  )
  const profile = join(folder, engine)
  const browser = await launchOf(engine)(profile)
  try {
    const tab = await browser.open(url)
    await tab.run(async () => {
      while (!('bench' in globalThis)) await new Promise((resolve) => setTimeout(resolve, 50))
    })
    const report = await tab.run((asked) => globalThis.bench(asked), wish)
    return { ...report, browser: await tab.run(() => navigator.userAgent) }
  } finally {
    await browser.close()
    await loader.close()
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  }
}
