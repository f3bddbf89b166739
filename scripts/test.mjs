// All checks and tests (`fast`: without a browser). The last line is the total; the exit code says whether all is well.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkSource } from './check.mjs'
import { ensureInstalled } from './ensure.mjs'
import { run, runTool } from './run.mjs'
import { add, nothing, sentence } from './total.mjs'

/**
 * What both runners write into their reports of what we read.
 * @typedef {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number }} VitestReport
 * @typedef {{ stats: { expected: number, unexpected: number, flaky: number, skipped: number } }} PlaywrightReport
 */

const total = nothing()

/**
 * Adds a run's report to the total. A run that failed without a failed test, or wrote no report, counts as one failure.
 * @template Report
 * @param {number} code
 * @param {string} file
 * @param {(report: Report) => { passed: number, failed: number, skipped: number }} read
 */
async function addReport(code, file, read) {
  const counts = await readFile(file, 'utf8').then(
    (text) => read(JSON.parse(text)),
    (error) => {
      console.error(error.message)
      return { passed: 0, failed: 1, skipped: 0 }
    }
  )
  add(total, { ...counts, failed: code !== 0 && counts.failed === 0 ? 1 : counts.failed })
}

/** @param {string} folder */
async function unit(folder) {
  const file = join(folder, 'vitest.json')
  const code = await runTool('vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`])
  await addReport(code, file, (/** @type {VitestReport} */ report) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests
  }))
}

/** @param {string} folder */
async function endToEnd(folder) {
  const { ensureBrowser } = await import('./browser.mjs')
  const file = join(folder, 'playwright.json')
  const env = { INTAB_BROWSER: await ensureBrowser(), PLAYWRIGHT_JSON_OUTPUT_FILE: file }
  const code = await runTool('playwright', ['test', '--reporter=list,json'], env)
  await addReport(code, file, (/** @type {PlaywrightReport} */ { stats }) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped
  }))
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
  await endToEnd(folder)
})
await rm(folder, { recursive: true })

console.log(`\n${sentence(total)}`)
process.exitCode = total.failed > 0 ? 1 : 0
