// How every command that checks something ends: a line for each test that failed, as far as it knows their names, and then
// `N passed, N failed[, N skipped]`.
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { root } from './run.mjs'

/** @typedef {{ passed: number, failed: number, skipped: number, failures?: string[] }} Total `failures`: names of tests that failed */

/** @returns {Total} */
export const nothing = () => ({ passed: 0, failed: 0, skipped: 0, failures: [] })

/** @param {Total} total @param {Total} more */
export function add(total, more) {
  total.passed += more.passed
  total.failed += more.failed
  total.skipped += more.skipped
  total.failures = [...(total.failures ?? []), ...(more.failures ?? [])]
}

/** @param {Total} total */
export const sentence = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`

/**
 * How a command ends: whoever reads only the end of a log finds what failed.
 * @param {Total} total
 */
export const closing = (total) =>
  [...(total.failures ?? []).map((name) => `failed: ${name}`), sentence(total)].join('\n')

/**
 * The total of a command, from its last line that is one, with the failures that stand above it.
 * @param {string} output
 * @returns {Total | undefined}
 */
export function readTotal(output) {
  const [, passed, failed, skipped] =
    [...output.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm)].at(-1) ?? []
  if (passed === undefined) return undefined
  const failures = [...new Set([...output.matchAll(/^failed: (.+)$/gm)].map(([, name]) => String(name)))]
  return { passed: Number(passed), failed: Number(failed), skipped: Number(skipped ?? 0), failures }
}

/**
 * The total of a test runner, from the report that it wrote. A run that failed without a failed test, or wrote no report,
 * counts as one failure.
 * @template Report
 * @param {number} code
 * @param {string} file
 * @param {(report: Report) => Total} read
 * @returns {Promise<Total>}
 */
export async function readReport(code, file, read) {
  try {
    const counts = read(JSON.parse(await readFile(file, 'utf8')))
    return { ...counts, failed: code !== 0 && counts.failed === 0 ? 1 : counts.failed }
  } catch (error) {
    console.error(error)
    return { passed: 0, failed: 1, skipped: 0 }
  }
}

/**
 * Runs an npm script, shows what it writes, and reads its total. An exit code other than 0 is at least one failure; a
 * script without a total counts as one check.
 * @param {string} script as in package.json
 * @param {string[]} [args]
 * @returns {Promise<Total>}
 */
export async function npmRun(script, args = []) {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const child = spawn(npm, ['run', '--silent', script, '--', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32'
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    process.stdout.write(chunk)
    output += chunk
  })
  /** @type {number | null} */
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
  const total = readTotal(output) ?? { passed: code === 0 ? 1 : 0, failed: 0, skipped: 0 }
  if (code !== 0 && total.failed === 0) total.failed = 1
  return total
}
