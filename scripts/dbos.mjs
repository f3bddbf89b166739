// Runs the tests that need a PostgreSQL, which comes from npm: `npm run dbos`; `npm run dbos:load -- 600` puts three
// processes under load for so many seconds and kills them at random. The last line is the total.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureInstalled } from './ensure.mjs'
import { ofVitest } from './reports.mjs'
import { runTool } from './run.mjs'
import { closing, readReport } from './total.mjs'

const [mode, seconds = '20'] = process.argv.slice(2)
if (mode === 'load') {
  if (!(Number(seconds) >= 1)) throw new Error(`npm run dbos:load takes a number of seconds (got ${seconds})`)
  process.env.INTAB_LOAD = seconds
}
await ensureInstalled()
// The tests start processes of the built server.
if ((await runTool('tsc', ['-p', 'tsconfig.build.json'])) !== 0) throw new Error('The build failed: see above')
const folder = await mkdtemp(join(tmpdir(), 'intab-dbos-'))
try {
  const file = join(folder, 'vitest.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const code = await runTool('vitest', ['run', '--config', 'vitest.dbos.config.ts', ...reporters])
  const total = await readReport(code, file, ofVitest)
  console.log(closing(total))
  process.exitCode = total.failed > 0 ? 1 : 0
} finally {
  await rm(folder, { recursive: true, force: true })
}
