// What can be said of the source without running it, and the rules of its architecture.
import { pathToFileURL } from 'node:url'
import { ensureInstalled } from './ensure.mjs'
import { runTool } from './run.mjs'

/** Runs format check, lint and compiler; resolves with how many of them failed. */
export async function checkSource() {
  const checks = [
    { name: 'format', tool: 'oxfmt', args: ['--check'] },
    { name: 'lint', tool: 'oxlint', args: [] },
    { name: 'types', tool: 'tsc', args: ['-p', '.'] }
  ]
  let failed = 0
  for (const { name, tool, args } of checks) {
    console.log(`\n> ${name}`)
    if ((await runTool(tool, args)) !== 0) failed += 1
  }
  return failed
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await ensureInstalled()
  const failed = await checkSource()
  const architecture = await runTool('vitest', ['run', 'test/architecture.test.ts'])
  process.exitCode = failed + architecture > 0 ? 1 : 0
}
