// Measures intab beside its floors in a real browser: `npm run bench`, `-- --quick` for a short run that is not recorded,
// `-- --smoke` to see in a minute that every row can still be measured, `-- --only <words>` for the rows with these
// words in their names.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureInstalled } from './ensure.mjs'
import { root } from './run.mjs'

/** @typedef {import('../bench/pages/race.js').Row} Row */

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

/** @param {number} value */
const figure = (value) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3))

/** @param {Row} row */
const line = ({ name, unit, ours, floor, ratio, goal, ok }) =>
  `| ${name} | ${figure(ours.p50)} / ${figure(ours.p99)} ${unit} | ${figure(floor.p50)} / ${figure(floor.p99)} ${unit} | ${figure(ratio)} | ${goal ?? 'none'} | ${ok === undefined ? '' : ok ? 'yes' : 'no'} |`

/** @param {Row[]} rows @param {string} browser */
const table = (rows, browser) =>
  [
    '# What intab costs beyond its floors',
    '',
    `Made by \`npm run bench\`: ${browser}, ${cpus().length} cores (${cpus()[0]?.model}). Median / 99th percentile; what each row is, and what its floor is: [docs/speed.md](../docs/speed.md).`,
    '',
    '| what | intab | floor | ratio | goal | reached |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map(line),
    ''
  ].join('\n')

/** @param {import('../bench/pages/page.js').Wish} wish */
async function measure(wish) {
  const { build, preview } = await import('vite')
  const { chromium } = await import('@playwright/test')
  const { browserArgs, ensureBrowser } = await import('./browser.mjs')
  const executablePath = await ensureBrowser()
  const folder = await mkdtemp(join(tmpdir(), 'intab-bench-'))
  const config = { configFile: join(root, 'bench/vite.config.ts'), build: { outDir: join(folder, 'site') } }
  await build({ ...config, logLevel: 'warn' })
  const server = await preview({ ...config, preview: { port: 0 } })
  const context = await chromium.launchPersistentContext(join(folder, 'profile'), { executablePath, args: browserArgs })
  try {
    const page = await context.newPage()
    page.on('console', (message) => console.log(message.text()))
    page.on('pageerror', (error) => console.error(error))
    for (const [name, act] of Object.entries(await reach(context))) await page.exposeFunction(name, act)
    const [url] = server.resolvedUrls?.local ?? []
    if (url === undefined) throw new Error('The pages are not served')
    await page.goto(url)
    await page.waitForFunction(() => 'bench' in globalThis)
    const report = await page.evaluate((asked) => globalThis.bench(asked), wish)
    return { ...report, browser: `Chromium ${context.browser()?.version()}` }
  } finally {
    await context.close()
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    smoke: { type: 'boolean', default: false },
    only: { type: 'string' }
  }
})
await ensureInstalled()
const scale = values.smoke ? 'smoke' : values.quick ? 'quick' : 'full'
const { rows, slowed, browser } = await measure({ scale, ...(values.only && { only: values.only }) })
console.log(`\n${table(rows, browser)}`)
for (const sentence of slowed) console.error(sentence)
if (slowed.length > 0) process.exitCode = 1
else if (scale === 'full' && values.only === undefined) {
  await writeFile(join(root, 'bench/results.json'), `${JSON.stringify(rows, null, 2)}\n`)
  await writeFile(join(root, 'bench/RESULTS.md'), table(rows, browser))
}
const measured = rows.filter(({ ours, floor }) => [ours.p50, floor.p50].every(Number.isFinite)).length
if (measured < rows.length || measured === 0) process.exitCode = 1
if (scale === 'smoke') console.log(`${measured} passed, ${rows.length - measured} failed`)
