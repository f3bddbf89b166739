// Builds the package into dist/ and the demo into dist-demo/.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureInstalled } from './ensure.mjs'
import { root, runTool } from './run.mjs'

await ensureInstalled()
await rm(join(root, 'dist'), { recursive: true, force: true })
process.exitCode =
  (await runTool('tsc', ['-p', 'tsconfig.build.json'])) || (await runTool('vite', ['build', '--logLevel', 'warn']))
