// The scenarios of test/engines in every browser engine: `npm run e2e:engines`, or with the names of some targets and
// options of Playwright: `npm run e2e:engines firefox -- --grep question`. The last line is the total.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureInstalled } from './ensure.mjs'
import { runTool } from './run.mjs'
import { add, closing, nothing, sentence } from './total.mjs'

await ensureInstalled()
const { ensureEngines, names } = await import('./engines/ensure-engines.mjs')
const { buildApp } = await import('./engines/build-app.mjs')
const { byTarget } = await import('./engines/by-target.mjs')

const given = process.argv.slice(2)
const firstOption = given.findIndex((argument) => argument.startsWith('-'))
const asked = firstOption < 0 ? given : given.slice(0, firstOption)
const unknown = asked.filter((name) => !names.includes(name))
if (unknown.length > 0) {
  console.error(`No target is named ${unknown.join(' or ')}. Choose from ${names.join(', ')}`)
  process.exit(1)
}
const engines = await ensureEngines(asked.length > 0 ? asked : names)
const targets = Object.keys(engines.targets)

const folder = await mkdtemp(join(tmpdir(), 'intab-engines-'))
/** @type {string[]} */
const lines = []
const total = nothing()
if (targets.length > 0) {
  const file = join(folder, 'playwright.json')
  const projects = targets.flatMap((name) => ['--project', name])
  const code = await runTool(
    'playwright',
    [
      'test',
      '--config',
      'test/engines/playwright.config.ts',
      '--reporter=list,json',
      ...projects,
      ...given.slice(asked.length)
    ],
    {
      INTAB_ENGINES: JSON.stringify(engines.targets),
      INTAB_ENGINES_APP: await buildApp(),
      PLAYWRIGHT_JSON_OUTPUT_FILE: file
    }
  )
  const results = byTarget(JSON.parse(await readFile(file, 'utf8').catch(() => '{}')))
  for (const [name, { started, notRun, ...result }] of Object.entries(results)) {
    lines.push(`${name}: ${sentence(result)}${started ? '' : ' (it is installed, but does not start: see above)'}`)
    if (started) lines.push(...notRun.map((line) => `  not run: ${line}`))
    add(total, result)
  }
  if (code !== 0 && total.failed === 0) total.failed = 1
}
await rm(folder, { recursive: true })
// An engine that cannot be had counts once, as skipped.
for (const [name, why] of Object.entries(engines.missing)) lines.push(`${name}: NOT RUN, ${why}`)
total.skipped += Object.keys(engines.missing).length
console.log(`\n${lines.join('\n')}`)
if (total.passed + total.failed === 0) {
  console.error('\nNo scenario ran in any engine, so nothing is known of them.')
  total.failed = 1
}
console.log(`\n${closing(total)}`)
process.exitCode = total.failed > 0 ? 1 : 0
