// What the reports of the test runners come to: how many passed, and the names of those that did not.
import { relative } from 'node:path'
import { root } from './run.mjs'

/** @typedef {import('./total.mjs').Total} Total */

/**
 * @typedef {object} VitestReport
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {{ name: string, status: string, message: string, assertionResults: { status: string, fullName: string }[] }[]} testResults
 */

/** @param {VitestReport} report @returns {Total} */
export const ofVitest = ({ numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults }) => ({
  passed: numPassedTests,
  failed: numFailedTests,
  skipped: numPendingTests + numTodoTests,
  failures: testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative(root, name)
    const red = assertionResults.filter((test) => test.status === 'failed').map((test) => `${file} ${test.fullName}`)
    return status === 'failed' && red.length === 0 ? [file] : red
  })
})

/**
 * @typedef {object} PlaywrightSuite
 * @property {PlaywrightSuite[]} [suites]
 * @property {{ title: string, file: string, line: number, tests: { status: string, projectName: string }[] }[]} [specs]
 *
 * @typedef {object} PlaywrightReport
 * @property {{ expected: number, unexpected: number, flaky: number, skipped: number }} stats
 * @property {PlaywrightSuite[]} suites
 */

/** @param {PlaywrightReport} report @returns {Total} */
export const ofPlaywright = ({ stats, suites }) => ({
  passed: stats.expected,
  failed: stats.unexpected + stats.flaky,
  skipped: stats.skipped,
  failures: suites.flatMap(redOf)
})

/** @param {PlaywrightSuite} suite @returns {string[]} */
const redOf = ({ suites = [], specs = [] }) => [
  ...suites.flatMap(redOf),
  ...specs.flatMap(({ title, file, line, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ projectName }) => `[${projectName}] ${file}:${line} ${title}`)
  )
]
