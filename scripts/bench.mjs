// Measures intab beside its floors in a real browser: `npm run bench`, `-- --quick` for a short run that is not recorded,
// `-- --smoke` to see in a minute that every row can still be measured, `-- --only <words>` for the rows with these
// words in their names, `-- --engine firefox` (or webkit-disk, webkit) for another engine than Chromium.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureInstalled } from './ensure.mjs'
import { root } from './run.mjs'

/**
 * @param {string} engine
 * @param {import('../bench/pages/page.js').Wish} wish
 */
async function measure(engine, wish) {
  const { build, preview } = await import('vite')
  const { inChromium, inEngine } = await import('./bench/browsers.mjs')
  const folder = await mkdtemp(join(tmpdir(), 'intab-bench-'))
  const config = { configFile: join(root, 'bench/vite.config.ts'), build: { outDir: join(folder, 'site') } }
  await build({ ...config, logLevel: 'warn' })
  const server = await preview({ ...config, preview: { port: 0 } })
  try {
    const [url] = server.resolvedUrls?.local ?? []
    if (url === undefined) throw new Error('The pages are not served')
    return await (engine === 'chromium' ? inChromium(url, folder, wish) : inEngine(engine, url, folder, wish))
  } finally {
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    smoke: { type: 'boolean', default: false },
    only: { type: 'string' },
    engine: { type: 'string', default: 'chromium' }
  }
})
await ensureInstalled()
if (values.engine !== 'chromium') {
  const { ensureEngines } = await import('./engines/ensure-engines.mjs')
  const { targets, missing } = await ensureEngines([values.engine])
  process.env.INTAB_ENGINES = JSON.stringify(targets)
  if (targets[values.engine] === undefined) {
    console.error(`${values.engine} cannot be had here: ${missing[values.engine] ?? 'it is no target of e2e:engines'}`)
    // What this machine cannot have is not run, which is no failure of a smoke test.
    if (values.smoke) console.log('0 passed, 0 failed, 1 skipped')
    process.exit(values.smoke ? 0 : 1)
  }
}
const { record, table } = await import('./bench/results.mjs')
const scale = values.smoke ? 'smoke' : values.quick ? 'quick' : 'full'
const { rows, slowed, browser } = await measure(values.engine, { scale, ...(values.only && { only: values.only }) })
console.log(`\n${table({ rows, browser })}`)
for (const sentence of slowed) console.error(sentence)
if (slowed.length > 0) process.exitCode = 1
else if (scale === 'full' && values.only === undefined) await record(values.engine, { rows, browser })
const measured = rows.filter(({ ours, floor }) => [ours.p50, floor.p50].every(Number.isFinite)).length
if (measured < rows.length || measured === 0) process.exitCode = 1
if (scale === 'smoke') console.log(`${measured} passed, ${rows.length - measured} failed`)
