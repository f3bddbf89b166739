import { defineConfig } from '@playwright/test'
import { startOf } from '../../scripts/engines/by-target.mjs'
import type { Options } from './fixtures.js'
import { targets } from './targets.js'

const start = 'start.spec.ts'
const contracts = 'storage.spec.ts'
const races = 'races.spec.ts'

/** Files that a target leaves out: `npm test` has run them in Chromium, and the races are for the slowest storage. */
const leavesOut = (target: string): string[] => {
  if (target.startsWith('chromium')) return [contracts, races]
  return target === 'webkit-disk' ? [] : [races]
}

export default defineConfig<object, Options>({
  testMatch: '*.spec.ts',
  outputDir: '../../test-results/engines',
  // These only end what hangs: a slow machine is no failure.
  timeout: 300_000,
  expect: { timeout: 120_000 },
  globalTimeout: 1_500_000,
  retries: 0,
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  reporter: 'list',
  // A browser that does not start fails once, and its scenarios do not run.
  projects: Object.keys(targets).flatMap((target) => [
    { name: startOf(target), testMatch: start, use: { target } },
    { name: target, testIgnore: [start, ...leavesOut(target)], dependencies: [startOf(target)], use: { target } }
  ])
})
