// As much of Vitest as the contract suites use, for a worker: the same suites, over the browser's own IndexedDB.

import {
  customMatchers,
  GLOBAL_EXPECT,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  setState
} from '@vitest/expect'
import * as chai from 'chai'

chai.use(JestExtend)
chai.use(JestChaiExpect)
chai.use(JestAsymmetricMatchers)

type Expect = Parameters<typeof setState>[1]

export const expect = Object.assign(
  (value: unknown, message?: string) => chai.expect(value, message),
  chai.expect
) as unknown as Expect
Object.assign(globalThis, { [GLOBAL_EXPECT]: expect })
setState({ assertionCalls: 0 }, expect)
;(chai.expect as unknown as { extend(to: Expect, matchers: object): void }).extend(expect, customMatchers)

type Body = (...given: unknown[]) => unknown

interface Hooks {
  before: Body[]
  after: Body[]
}

interface Test {
  title: string
  body: () => unknown
  hooks: Hooks[]
}

const tests: Test[] = []
let titles: string[] = []
let hooks: Hooks[] = [{ before: [], after: [] }]

export function describe(title: string, define: () => void): void {
  const [outerTitles, outerHooks] = [titles, hooks]
  titles = [...titles, title]
  hooks = [...hooks, { before: [], after: [] }]
  define()
  titles = outerTitles
  hooks = outerHooks
}

export const beforeEach = (act: Body): unknown => hooks.at(-1)?.before.push(act)
export const afterEach = (act: Body): unknown => hooks.at(-1)?.after.push(act)

export function it(title: string, body: Body): void {
  tests.push({ title: [...titles, title].join(': '), body: () => body(), hooks })
}

it.each = (rows: readonly unknown[]) => (title: string, body: Body) => {
  rows.forEach((row, i) => it(`${title} (${i + 1})`, () => (Array.isArray(row) ? body(...row) : body(row))))
}

const now = Date.now.bind(Date)

/** Only the clock is faked: what is due is then due, and real timers do the rest. */
export const vi = {
  useFakeTimers({ now: time }: { now: number }) {
    Date.now = () => time
  },
  setSystemTime(time: number) {
    Date.now = () => time
  },
  advanceTimersByTime(ms: number) {
    const time = Date.now() + ms
    Date.now = () => time
  },
  useRealTimers() {
    Date.now = now
  },
  async waitFor<T>(look: () => T | Promise<T>): Promise<T> {
    for (const end = now() + 1000; ;) {
      try {
        return await look()
      } catch (error) {
        if (now() > end) throw error
        await new Promise((resume) => setTimeout(resume, 20))
      }
    }
  }
}

export interface Report {
  passed: string[]
  failed: string[]
}

/** Runs every test that was defined, one after the other. */
export async function runAll(): Promise<Report> {
  const report: Report = { passed: [], failed: [] }
  globalThis.addEventListener('unhandledrejection', ({ reason }) => report.failed.push(`unhandled: ${String(reason)}`))
  for (const { title, body, hooks: around } of tests) {
    try {
      for (const { before } of around) for (const act of before) await act()
      await body()
      report.passed.push(title)
    } catch (error) {
      report.failed.push(`${title}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    }
    for (const { after } of around) for (const act of after) await act()
  }
  return report
}
