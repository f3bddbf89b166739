import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { access, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { groups } from '../scripts/groups/groups.mjs'
import { promised } from '../scripts/size.mjs'
import { RPC } from '../src/errors.js'
import type { TaskStatus } from '../src/types.js'
import { pages, quotesOf, root, writeSamples } from './support/samples.js'

test('every sample of the documentation compiles as it stands, in the strictest settings', async () => {
  const folder = join(root, 'node_modules', '.cache', 'intab-samples')
  const names = new Map<string, string[]>()
  for (const page of await pages()) names.set(page, await writeSamples(page, join(folder, page.replace(/\W/g, '-'))))
  expect(names.get('README.md')).toEqual([
    'mcp.worker.ts',
    'main.ts',
    'files.worker.ts',
    'files.ts',
    'vite.config.ts',
    'plain.worker.ts'
  ])
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      module: 'esnext',
      moduleResolution: 'bundler',
      jsx: 'react-jsx',
      noPropertyAccessFromIndexSignature: true,
      // What a sample only shows need not be used by it.
      noUnusedLocals: false,
      rootDir: root,
      paths: { intab: [join(root, 'src/index.ts')], 'intab/*': [join(root, 'src/*.ts')] }
    },
    include: [folder]
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', folder]).catch(
    (error: { stdout: string }) => error
  )
  // This project does without noPropertyAccessFromIndexSignature; its own files are compiled elsewhere.
  expect(stdout.split('\n').filter((line) => /^\S/.test(line) && !/^src\/.*TS4111/.test(line))).toEqual([])
})

test('every quote of an example is the file, which `npm run agents` compiles and drives, in at most 25 lines', async () => {
  const quotes = (await Promise.all((await pages()).map(quotesOf))).flat()
  expect(quotes.map(({ path }) => path)).toEqual(
    ['ai-sdk', 'langchain', 'openai-agents', 'tanstack-ai'].map((library) => `examples/agents/${library}/adapter.ts`)
  )
  for (const { path, code } of quotes) {
    expect(code, path).toBe(await readFile(join(root, path), 'utf8'))
    expect(code.trimEnd().split('\n').length, path).toBeLessThanOrEqual(25)
  }
})

test('every relative link of the documentation leads to a file of the package', async () => {
  const shipped = ['README.md', 'package.json', 'LICENSE', ...manifest.files]
  const broken: string[] = []
  for (const page of [...(await pages()), 'AGENTS.md', 'SECURITY.md', 'CONTRIBUTING.md']) {
    const text = await readFile(join(root, page), 'utf8')
    for (const [, link = ''] of text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)[^)]*\)/g)) {
      const target = posix.join(dirname(page), link)
      const inPackage = shipped.some((path) => target === path || target.startsWith(`${path}/`))
      const exists = await access(join(root, target)).then(
        () => true,
        () => false
      )
      if (!inPackage || !exists) broken.push(`${page} links to ${link}`)
    }
  }
  expect(broken).toEqual([])
})

test('repository and bugs in package.json are derived from homepage, the one place that holds the address', () => {
  const { homepage, repository, bugs } = manifest
  expect(homepage).toMatch(/^https:\/\/[^/]+\/.+[^/]$/)
  expect(repository).toEqual({ type: 'git', url: `git+${homepage}.git` })
  expect(bugs).toEqual({ url: `${homepage}/issues` })
})

test('every test in docs/testing.md is one of test/e2e/testing-samples.spec.ts', async () => {
  const [page = '', spec = ''] = await Promise.all(
    ['docs/testing.md', 'test/e2e/testing-samples.spec.ts'].map((path) => readFile(join(root, path), 'utf8'))
  )
  const testsIn = (text: string) => text.match(/^test\(.+?^}\)$/gms) ?? []
  const shown = testsIn(page).map((code) => code.replaceAll("'http://localhost:4173'", 'app'))
  expect(shown.length).toBeGreaterThan(0)
  expect(shown).toEqual(testsIn(spec))
})

test('every error code is explained in docs/troubleshooting.md, and no other', async () => {
  const [source, page] = await Promise.all(
    ['src/errors.ts', 'docs/troubleshooting.md'].map((path) => readFile(join(root, path), 'utf8'))
  )
  const union = /export type IntabCode =([^;]*?)\n\n/.exec(source ?? '')?.[1] ?? ''
  const codes = [...union.matchAll(/'(\w+)'/g)].map(([, code]) => code)
  expect(codes.length).toBeGreaterThan(20)
  const explained = [...(page ?? '').matchAll(/^\| `?(-?\w+)`? \|/gm)]
    .map(([, code]) => code)
    .filter((code) => code !== 'code')
  expect(explained).toEqual([...codes, ...Object.values(RPC).map(String)])
})

test('the picture of docs/tasks.md shows each status of a task', async () => {
  const statuses: Record<TaskStatus, true> = {
    working: true,
    input_required: true,
    completed: true,
    failed: true,
    cancelled: true
  }
  const [page = '', picture = ''] = await Promise.all(
    ['docs/tasks.md', 'docs/task-states.svg'].map((path) => readFile(join(root, path), 'utf8'))
  )
  expect(page).toContain('](task-states.svg)')
  const shown = [...picture.matchAll(/<text class="state"[^>]*>(\w+)</g)].map(([, state]) => state)
  expect(shown).toEqual(Object.keys(statuses))
})

test('every rule of the checklist in docs/wire.md has a test in test/modern, or says why not', async () => {
  const page = await readFile(join(root, 'docs/wire.md'), 'utf8')
  const rows = [...page.matchAll(/^\| (\d+) \| .+ \| (.*)\|$/gm)].map(([, number = '', why = '']) => ({ number, why }))
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 34 }, (_, index) => String(index + 1)))
  const folder = join(root, 'test/modern')
  const files = (await readdir(folder)).filter((name) => name.endsWith('.test.ts'))
  const sources = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
  const titles = sources.flatMap((source) =>
    [...source.matchAll(/\(\s*['`]((?:\d+ )+)/g)].map(([, numbers = '']) => numbers)
  )
  const tested = new Set(titles.flatMap((numbers) => numbers.trim().split(' ')))
  const needed = rows.filter(({ why }) => why === '').map(({ number }) => number)
  expect([...tested].toSorted()).toEqual(needed.toSorted())
})

test('the table of conformance in docs/bridge.md has what `npm run conformance` counted', async () => {
  const [page = '', results = ''] = await Promise.all(
    ['docs/bridge.md', 'test/conformance/results.json'].map((path) => readFile(join(root, path), 'utf8'))
  )
  const rows = [...page.matchAll(/^\| (\S+), `server (.+)` \| (\d+) \| (\d+) \| (\d+) \|$/gm)].map(([, ...row]) => row)
  type Suite = { suite: string; args: string[]; passed: number; failed: number; scenarios: unknown[] }
  const counted = (JSON.parse(results) as Suite[]).map(({ suite, args, passed, failed, scenarios }) => [
    suite.split(' ').at(-1),
    args.join(' '),
    ...[scenarios.length, passed, failed].map(String)
  ])
  expect(counted.length).toBeGreaterThan(0)
  expect(rows).toEqual(counted)
})

test('the README promises the sizes that `npm run size` holds', async () => {
  const text = await readFile(join(root, 'README.md'), 'utf8')
  const [, tab, worker] = /at most ([\d.]+) kB in a tab .* at most ([\d.]+) kB with/.exec(text) ?? []
  expect({ tab: Number(tab), worker: Number(worker) }).toEqual(promised)
})

test('what the README says intab works with is tested by what it names', async () => {
  const text = await readFile(join(root, 'README.md'), 'utf8')
  const [, table = ''] = /^## Works with\n([^#]+)^## /m.exec(text) ?? []
  const rows = [...table.matchAll(/^\| .+ \| (`.+`) \|$/gm)].map(([, cell = '']) => cell)
  expect(rows).toHaveLength(table.trim().split('\n').length - 2)
  const named = rows.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))
  const run = new Set(groups.flatMap(({ scripts }) => scripts.map((script) => `npm run ${script}`)))
  const missing = named.filter((name) => !(name.startsWith('test/') ? existsSync(join(root, name)) : run.has(name)))
  expect(missing).toEqual([])
})
