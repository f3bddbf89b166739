// Compiles test/types/consumer.ts against the packed package under every strict flag of TypeScript, libraries included.
import { cp, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { capture, install } from '../outside.mjs'
import { unpack } from '../pack.mjs'
import { root } from '../run.mjs'
import { ownDependencies } from './peers.mjs'

const strict = {
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
  types: [],
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noFallthroughCasesInSwitch: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noPropertyAccessFromIndexSignature: true,
  noUncheckedIndexedAccess: true,
  noUncheckedSideEffectImports: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  declaration: true,
  erasableSyntaxOnly: true,
  isolatedDeclarations: true,
  isolatedModules: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false
}

const resolutions = [
  { module: 'esnext', moduleResolution: 'bundler' },
  { module: 'nodenext', moduleResolution: 'nodenext' }
]

/** The AI SDK's types do not hold under `exactOptionalPropertyTypes`. */
const ofOthers = /^node_modules\/(?!intab\/)/

/**
 * @param {string} tarball
 * @param {Record<string, string>} [versions] of peers, instead of those of package-lock.json
 * @throws with what the compiler says
 */
export async function checkTypes(tarball, versions = {}) {
  const { devDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const own = ['@modelcontextprotocol/client', '@modelcontextprotocol/sdk', '@playwright/test', 'vite', 'zod']
  const modules = await install(['package-types', ...Object.values(versions)].join('-'), {
    ...ownDependencies,
    ...Object.fromEntries(own.map((name) => [name, devDependencies[name]])),
    '@ai-sdk/mcp': '2.0.99',
    ...versions
  })
  await unpack(tarball, modules)
  const app = dirname(modules)
  await cp(join(root, 'test', 'types', 'consumer.ts'), join(app, 'consumer.mts'))
  const problems = []
  for (const resolution of resolutions) {
    const config = { compilerOptions: { ...strict, ...resolution }, files: ['consumer.mts'] }
    await writeFile(join(app, 'tsconfig.json'), JSON.stringify(config))
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    const { code, stdout, stderr } = await capture(process.execPath, [tsc, '-p', app, '--pretty', 'false'], {
      cwd: app
    })
    const ours = stdout.split('\n').filter((line) => / error TS\d+:|^error /.test(line) && !ofOthers.test(line))
    if (ours.length > 0) problems.push(`With ${resolution.moduleResolution}:`, ...ours)
    else if (code !== 0 && stdout === '') problems.push(`tsc ended with exit code ${code}: ${stderr}`)
  }
  if (problems.length > 0) throw new Error(problems.join('\n'))
}
