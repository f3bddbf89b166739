// Runs what touches the SDK and zod with the oldest and the newest version that peerDependencies allow: `npm run peers`.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureInstalled } from './ensure.mjs'
import { install } from './outside.mjs'
import { oldestPeers, ownDependencies, peers } from './package/peers.mjs'
import { ofVitest } from './reports.mjs'
import { runTool } from './run.mjs'
import { add, closing, nothing, readReport } from './total.mjs'

// Beside these, only types are imported of the SDK, or the browser is needed.
const folders = ['test/wire', 'test/integration', 'test/contract', 'test/unit/session', 'test/unit/tool']

/** They compare with what the SDK of package-lock.json answers: its wording, and its own store, which older ones have not. */
const ofOneVersion = ['E9 bad arguments', 'in memory is cancelled while it asks, and is unknown to another session']

await ensureInstalled()
const total = nothing()
const reports = await mkdtemp(join(tmpdir(), 'intab-peers-'))
for (const [name, versions] of Object.entries({ oldest: oldestPeers, newest: peers })) {
  const modules = await install(`peers-${name}`, { ...ownDependencies, ...versions })
  console.log(`\n> ${name}: ${JSON.stringify(versions)}`)
  const report = join(reports, `${name}.json`)
  const without = `^(?!.*(${ofOneVersion.join('|')}))`
  const args = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`, '--testNamePattern', without]
  const code = await runTool('vitest', ['run', ...args, ...folders], { INTAB_PEERS: modules })
  // Left out by name above, for every run alike: nothing that this machine lacks.
  add(total, { ...(await readReport(code, report, ofVitest)), skipped: 0 })
}
await rm(reports, { recursive: true })
console.log(`\n${closing(total)}`)
process.exitCode = total.failed > 0 ? 1 : 0
