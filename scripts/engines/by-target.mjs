// What came of each target, from the report that Playwright writes as JSON: https://playwright.dev/docs/test-reporters#json-reporter
import { nothing } from '../total.mjs'

/**
 * The part of the report that is read.
 * @typedef {{ type: string, description?: string }} Annotation
 * @typedef {{ projectName: string, status: 'expected' | 'unexpected' | 'flaky' | 'skipped', annotations: Annotation[] }} TestRun
 * @typedef {{ title: string, tests: TestRun[] }} Spec
 * @typedef {{ specs?: Spec[], suites?: Suite[] }} Suite
 *
 * `notRun` has a line for each scenario that was skipped, with the reason.
 * @typedef {import('../total.mjs').Total & { started: boolean, notRun: string[] }} TargetResult
 */

/** The project of a target that has to pass before its scenarios run: its browser starts. */
export const startOf = (/** @type {string} */ target) => `${target}: start`

/** @param {Suite} suite @returns {Spec[]} */
const specsOf = ({ specs = [], suites = [] }) => [...specs, ...suites.flatMap((inner) => specsOf(inner))]

/** @param {Annotation[]} annotations */
const reasonOf = (annotations) =>
  annotations.find(({ type }) => type === 'skip' || type === 'fixme')?.description ?? 'its browser did not start'

/**
 * @param {Suite} report
 * @returns {Record<string, TargetResult>}
 */
export function byTarget(report) {
  /** @type {Record<string, TargetResult>} */
  const found = {}
  for (const { title, tests } of specsOf(report)) {
    for (const { projectName, status, annotations } of tests) {
      const target = projectName.split(':')[0] ?? ''
      const result = (found[target] ??= { ...nothing(), started: true, notRun: [] })
      if (status === 'expected') result.passed += 1
      else if (status === 'skipped') {
        result.skipped += 1
        result.notRun.push(`${title}: ${reasonOf(annotations)}`)
      } else {
        result.failed += 1
        result.failures?.push(`[${projectName}] ${title}`)
        if (projectName === startOf(target)) result.started = false
      }
    }
  }
  return found
}
