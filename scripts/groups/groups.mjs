// The groups of `npm run test:all`: everything slower than `npm test`. Add one to the list; it installs what it needs by
// itself, and counts what this machine cannot have as skipped, with the reason on the console.
import { endToEnd } from '../end-to-end.mjs'
import { run } from '../run.mjs'
import { add, nothing, npmRun } from '../total.mjs'
import { bridgeFuzz } from './bridge-fuzz.mjs'
import { docs } from './docs.mjs'
import { start } from './start.mjs'

/**
 * @typedef {object} Group
 * @property {string} name
 * @property {string[]} scripts of package.json that it runs
 * @property {() => Promise<import('../total.mjs').Total>} run
 */

/**
 * A group that is one script of package.json.
 * @param {string} script
 * @param {...string} args
 * @returns {Group}
 */
const npm = (script, ...args) => ({ name: script, scripts: [script], run: () => npmRun(script, args) })

/** @type {Group} */
const slow = {
  name: 'slow',
  scripts: [],
  run: async () => {
    // The bridge's tests start the built command.
    if ((await run(process.execPath, ['scripts/build.mjs'])) !== 0) throw new Error('The build failed: see above')
    return endToEnd('slow')
  }
}

/** All rows in Chromium, and in another engine enough to know that it can be measured. @type {Group} */
const bench = {
  name: 'bench',
  scripts: ['bench'],
  run: async () => {
    const total = nothing()
    for (const more of [[], ['--engine', 'firefox', '--only', 'whole']]) {
      add(total, await npmRun('bench', ['--smoke', ...more]))
    }
    return total
  }
}

/** @type {Group[]} */
export const groups = [
  start,
  slow,
  npm('package'),
  npm('conformance'),
  npm('clients'),
  npm('agents'),
  npm('examples'),
  npm('peers'),
  docs,
  npm('dbos'),
  npm('dbos:load', '20'),
  npm('size'),
  bench,
  // One seed, so that a red gate is a change's own doing; `npm run faults` draws a new one each time.
  npm('faults', '--rounds', '10', '--seed', '20251125'),
  bridgeFuzz,
  npm('e2e:engines')
]

/** Scripts that no group runs, with who runs them. */
export const others = {
  test: 'by itself, beside test:all: see .ci/run',
  'test:fast': 'a part of npm test',
  'test:all': 'runs the groups',
  check: 'a part of npm test',
  build: 'a part of npm test',
  prepack: 'npm pack runs it, as the groups package, size and agents do',
  format: 'npm test runs it with --check'
}
