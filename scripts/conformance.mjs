// Runs the protocol's conformance suites against a server in a page, through the bridge; see docs/bridge.md.
// `npm run conformance` writes test/conformance/results.json and prints the totals.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureInstalled } from './ensure.mjs'
import { capture, install, modernNode, servePage, startBridge } from './outside.mjs'
import { root, runTool } from './run.mjs'
import { sentence } from './total.mjs'

/**
 * `baseline` names the scored scenarios that fail, each with its reason there. Scenarios that are not scored (the tasks
 * extension, and what the suite itself calls pending) run as well; all of `tasks-*` must pass.
 */
const suites = [
  { version: '0.1.16', args: ['--suite', 'active'] },
  { version: '0.2.0-alpha.12', args: ['--requirements', '2025-11-25'] },
  { version: '0.2.0-alpha.12', args: ['--requirements', '2026-07-28'], baseline: 'test/conformance/baseline.yaml' }
]

/** What a scenario exercises beyond the road that all of them take: the rest is the SDK's McpServer, reached by it. */
const about = /** @type {[string, RegExp][]} */ ([
  [
    'the bridge, and the HTTP transport of the SDK',
    /^(dns-rebinding-protection|server-sse-.*|server-session-lifecycle)$/
  ],
  ['tasks of intab', /^(tools-call-(sampling|elicitation|with-progress|error)|elicitation-.*)$/],
  ['the era of 2026-07-28 of intab', /^(server-stateless|caching|input-required-result-.*|tasks-.*|http-.*)$/]
])
const byDefault = "the SDK's McpServer, over intab's sessions and port"

/** @param {string} name */
const subject = (name) => about.find(([, names]) => names.test(name))?.[0] ?? byDefault

/**
 * The checks of a run, by scenario; the suite writes a folder for each, named after it and the time.
 * @param {string} folder
 */
async function readScenarios(folder) {
  /** @type {{ name: string, exercises: string, passed: number, failed: number, warnings: number, skipped: number }[]} */
  const scenarios = []
  for (const entry of (await readdir(folder)).sort()) {
    const name = entry.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '')
    /** @type {{ status: string }[]} */
    const checks = JSON.parse(await readFile(join(folder, entry, 'checks.json'), 'utf8'))
    const count = (/** @type {string} */ status) => checks.filter((check) => check.status === status).length
    scenarios.push({
      name,
      exercises: subject(name),
      passed: count('SUCCESS'),
      failed: count('FAILURE'),
      warnings: count('WARNING'),
      skipped: count('SKIPPED')
    })
  }
  return scenarios
}

/**
 * @param {{ version: string, args: string[], baseline?: string }} suite
 * @param {string} url
 */
async function runSuite({ version, args, baseline }, url) {
  const name = '@modelcontextprotocol/conformance'
  const modules = await install(`conformance-${version}`, { [name]: version })
  const folder = await mkdtemp(join(tmpdir(), 'intab-conformance-'))
  const cli = join(modules, name, 'dist', 'index.js')
  const { code, stdout, stderr } = await capture(
    await modernNode(),
    [
      cli,
      'server',
      '--url',
      url,
      ...args,
      ...(baseline ? ['--expected-failures', join(root, baseline)] : []),
      '-o',
      folder
    ],
    { timeout: 300_000 }
  )
  const summary = stdout.slice(stdout.indexOf('=== SUMMARY ==='))
  console.log(`\n${name} ${version} server ${args.join(' ')}\n${summary.trim()}`)
  if (stderr.trim()) console.error(stderr.trim())
  const scenarios = await readScenarios(folder)
  await rm(folder, { recursive: true })
  const [, passed, failed] = /Total: (\d+) passed, (\d+) failed/.exec(summary) ?? []
  return { suite: `${name} ${version}`, args, code, passed: Number(passed), failed: Number(failed), scenarios }
}

await ensureInstalled()
const page = await servePage('test/conformance/vite.config.ts')
const bridge = await startBridge(page.url)
/** @type {Awaited<ReturnType<typeof runSuite>>[]} */
const results = []
try {
  for (const suite of suites) results.push(await runSuite(suite, bridge.url))
} finally {
  await bridge.close()
  await page.close()
}
const file = join(root, 'test', 'conformance', 'results.json')
await writeFile(file, JSON.stringify(results))
await runTool('oxfmt', [file])
/** @param {(typeof results)[number]} result */
const isFine = ({ code, failed, args, scenarios }) =>
  code === 0 &&
  (failed === 0 || args.includes('2026-07-28')) &&
  scenarios.every((scenario) => !scenario.name.startsWith('tasks-') || scenario.failed === 0)
const sum = (/** @type {typeof results} */ some, /** @type {'passed' | 'failed'} */ what) =>
  some.reduce((total, result) => total + result[what], 0)
// What fails as the baseline says, and what the suite does not score, fails nothing here.
const [fine, broken] = [results.filter(isFine), results.filter((result) => !isFine(result))]
const total = { passed: sum(results, 'passed'), failed: sum(broken, 'failed'), skipped: sum(fine, 'failed') }
console.log(`\n${sentence(total)}`)
process.exitCode = broken.length > 0 ? 1 : 0
