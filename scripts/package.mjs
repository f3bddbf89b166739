// The package as npm will show it: `npm run package`. Packs it, and has others' linters look at the tarball.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureInstalled } from './ensure.mjs'

await ensureInstalled()
const { capture, install } = await import('./outside.mjs')
const { pack } = await import('./pack.mjs')
const { checkContents } = await import('./package/contents.mjs')
const { oldestPeers } = await import('./package/peers.mjs')
const { checkTypes } = await import('./package/types.mjs')

const folder = await mkdtemp(join(tmpdir(), 'intab-package-'))
const tarball = await pack(folder)
const modules = await install('package', { '@arethetypeswrong/cli': '0.18.5', publint: '0.3.25' })

// With the zod of package-lock.json: the AI SDK wants a newer one than the oldest.
const sdk = '@modelcontextprotocol/sdk'
const oldestSdk = { [sdk]: oldestPeers[sdk] ?? '' }

/** @param {string} file @param {string[]} args */
async function lint(file, args) {
  const { code, stdout, stderr } = await capture(process.execPath, [join(modules, file), tarball, ...args])
  if (code !== 0) throw new Error(stdout + stderr)
}

/** What npm warns of, but for the login that a rehearsal does without. */
async function rehearse() {
  const { code, stderr } = await capture('npm', ['publish', tarball, '--dry-run', '--loglevel=warn'])
  const warnings = stderr.split('\n').filter((line) => /^npm (warn|error)/i.test(line) && !/to be logged in/.test(line))
  if (code !== 0 || warnings.length > 0) throw new Error(`npm publish: exit code ${code}\n${stderr}`)
}

const checks = {
  'ships every module with its types, the pages, and nothing else': () => checkContents(tarball),
  'publint --strict': () => lint('publint/src/cli.js', ['--strict']),
  // An ES module only: CommonJS imports it by import().
  'attw: the types of each entry are found and fit': () =>
    lint('@arethetypeswrong/cli/dist/index.js', ['--profile', 'esm-only', '--format', 'ascii']),
  'compiles under every strict flag, with the clients of SDK v1, SDK v2 and the AI SDK': () => checkTypes(tarball),
  'compiles so with the oldest SDK as well': () => checkTypes(tarball, oldestSdk),
  'npm publish --dry-run warns of nothing': rehearse
}

let failed = 0
for (const [name, check] of Object.entries(checks)) {
  try {
    await check()
    console.log(`  ✓ ${name}`)
  } catch (error) {
    failed += 1
    console.error(`  ✗ ${name}\n`, error)
  }
}
await rm(folder, { recursive: true, force: true })
console.log(`\n${Object.keys(checks).length - failed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
