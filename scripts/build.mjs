// Builds the package into dist/ and the demo into dist-demo/; with `package` only the former, as `npm pack` does.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureInstalled } from './ensure.mjs'
import { root, runTool } from './run.mjs'

await ensureInstalled()
await rm(join(root, 'dist'), { recursive: true, force: true })
const compiled = await runTool('tsc', ['-p', 'tsconfig.build.json'])
const demo = compiled === 0 && process.argv[2] !== 'package'
process.exitCode = demo ? await runTool('vite', ['build', '--logLevel', 'warn']) : compiled
