// A soak in a real browser: tasks that ask, report and step, while tabs close, workers die and people cancel at random.
//   npm run faults -- [--rounds N] [--seed S] [--sabotage claims|fence|publish|ack]
// Prints what became of them, and fails if anything was lost, done twice or stuck. With --sabotage one mechanism is cut
// out of the build under test, and the soak must fail.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureInstalled } from './ensure.mjs'
import { runTool } from './run.mjs'

await ensureInstalled()
const { ensureBrowser } = await import('./browser.mjs')
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    sabotage: { type: 'string', default: '' }
  }
})
for (const name of /** @type {const} */ (['rounds', 'seed'])) {
  if (!/^\d+$/.test(values[name])) throw new Error(`--${name} is a whole number`)
}

const folder = await mkdtemp(join(tmpdir(), 'intab-faults-'))
const file = join(folder, 'summary')
const code = await runTool('playwright', ['test', '--config', 'test/e2e/soak/playwright.config.ts'], {
  INTAB_BROWSER: await ensureBrowser(),
  INTAB_SOAK_ROUNDS: values.rounds,
  INTAB_SOAK_SEED: values.seed,
  INTAB_SABOTAGE: values.sabotage,
  INTAB_SOAK_BUILD: join(folder, 'build'),
  INTAB_SOAK_RESULTS: join(folder, 'results'),
  INTAB_SOAK_SUMMARY: file
})
const summary = await readFile(file, 'utf8').catch(() => 'The soak did not come to its end: see above')
await rm(folder, { recursive: true, force: true })
console.log(`seed ${values.seed}\n${summary}`)
process.exitCode = code
