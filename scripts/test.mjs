// All checks and tests (`fast`: without a browser). The last line is the total; the exit code says whether all is well.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkSource } from './check.mjs'
import { endToEnd } from './end-to-end.mjs'
import { ensureInstalled } from './ensure.mjs'
import { ofVitest } from './reports.mjs'
import { run, runTool } from './run.mjs'
import { add, closing, nothing, readReport } from './total.mjs'

const total = nothing()

/** @param {string} folder */
async function unit(folder) {
  const file = join(folder, 'vitest.json')
  const code = await runTool('vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`])
  add(total, await readReport(code, file, ofVitest))
}

/** @param {() => Promise<void>} step */
async function attempt(step) {
  try {
    await step()
  } catch (error) {
    console.error(error)
    total.failed += 1
  }
}

const folder = await mkdtemp(join(tmpdir(), 'intab-test-'))
await attempt(async () => {
  await ensureInstalled()
  total.failed += await checkSource()
  await attempt(() => unit(folder))
  if (process.argv[2] === 'fast') return
  console.log('\n> build')
  if ((await run(process.execPath, ['scripts/build.mjs'])) !== 0) throw new Error('The build failed: see above')
  add(total, await endToEnd('quick'))
})
await rm(folder, { recursive: true })

console.log(`\n${closing(total)}`)
process.exitCode = total.failed > 0 ? 1 : 0
