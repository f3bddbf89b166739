import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { publicNames } from './architecture/public-names.js'
import * as rules from './architecture/rules.js'
import type { Source } from './architecture/source.js'
import { readSources } from './architecture/source.js'

const root = fileURLToPath(new URL('..', import.meta.url))

function filesUnder(folder: string): Map<string, string> {
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && /\.(ts|mjs)$/.test(entry.name))
  return new Map(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return [relative(root, path).replaceAll('\\', '/'), readFileSync(path, 'utf8')]
    })
  )
}

const parse = (files: Record<string, string>): Map<string, Source> => readSources(new Map(Object.entries(files)))
const source = readSources(filesUnder('src'))

/** A rule, and breaches of it: sources by path, with what the rule says of them. */
interface Case {
  name: string
  rule: (sources: ReadonlyMap<string, Source>) => string[]
  breaches: [files: Record<string, string>, says: string][]
}

const cases: Case[] = [
  {
    name: 'imports go down only, and folders on one floor never import each other',
    rule: rules.importsGoDown,
    breaches: [
      [{ 'src/bus/a.ts': "import { b } from '../tasks/b.js'" }, 'src/bus/a.ts imports ../tasks/b.js'],
      [{ 'src/bus/a.ts': "import type { b } from '../storage/b.js'" }, 'src/bus/a.ts imports ../storage/b.js'],
      [{ 'src/tasks/a.ts': "import { b } from '../bus/b.js'" }, 'src/tasks/a.ts imports ../bus/b.js'],
      [{ 'src/client/a.ts': "await import('../session/b.js')" }, 'src/client/a.ts imports ../session/b.js'],
      [{ 'src/cellar/a.ts': '' }, 'src/cellar/a.ts is on no floor']
    ]
  },
  {
    name: 'what is imported exists',
    rule: rules.importsExist,
    breaches: [[{ 'src/bus/a.ts': "export * from './b.js'" }, 'src/bus/a.ts imports ./b.js, which does not exist']]
  },
  {
    name: 'the demo uses the entries as a stranger would',
    rule: rules.demoUsesEntries,
    breaches: [[{ 'src/demo/a.ts': "import { b } from '../client/b.js'" }, 'imports ../client/b.js by its path']]
  },
  {
    name: 'a foreign API has one owner',
    rule: rules.foreignApisHaveOwners,
    breaches: [
      [{ 'src/tasks/a.ts': "new BroadcastChannel('x')" }, 'BroadcastChannel, which belongs to bus'],
      [{ 'src/tasks/a.ts': "globalThis.indexedDB.open('x')" }, 'indexedDB, which belongs to storage'],
      [{ 'src/bus/a.ts': 'export const a = (b: IDBKeyRange) => b' }, 'IDBKeyRange, which belongs to storage'],
      [{ 'src/session/a.ts': "import { openDB } from 'idb'" }, 'idb, which belongs to storage'],
      [{ 'src/session/a.ts': "import { Pool } from 'pg'" }, 'pg, which belongs to postgres'],
      [{ 'src/session/a.ts': "import '@dbos-inc/dbos-sdk'" }, '@dbos-inc/dbos-sdk, which belongs to dbos'],
      [{ 'src/session/a.ts': "import type { Remote } from 'comlink'" }, 'comlink, which belongs to link'],
      [{ 'src/client/a.ts': 'export const a = (b: MessagePort) => b' }, 'MessagePort, which belongs to link'],
      [{ 'src/client/a.ts': 'new MessageChannel()' }, 'MessageChannel, which belongs to link'],
      [{ 'src/client/a.ts': "new SharedWorker('x')" }, 'SharedWorker, which belongs to link'],
      [{ 'src/session/a.ts': 'globalThis.navigator.locks.query()' }, 'navigator.locks, which belongs to link'],
      [{ 'src/client/a.ts': "import '@modelcontextprotocol/sdk/server/index.js'" }, 'which belongs to session'],
      [{ 'src/client/a.ts': 'customElements.get(1)' }, 'customElements, which belongs to devtools'],
      [{ 'src/client/a.ts': 'document.modelContext.getTools()' }, 'modelContext, which belongs to webmcp'],
      [{ 'src/session/a.ts': "import '@modelcontextprotocol/sdk/client/index.js'" }, 'which belongs to client'],
      [
        { 'src/tasks/a.ts': "import { a } from '@modelcontextprotocol/sdk/types.js'" },
        'belongs to tool, session, client'
      ]
    ]
  },
  {
    name: 'no cursor is unique, since WebKit cannot open those that find nothing',
    rule: rules.noUniqueCursors,
    breaches: [
      [{ 'src/storage/a.ts': "index.openKeyCursor(null, 'nextunique')" }, 'src/storage/a.ts has a nextunique cursor'],
      [{ 'src/storage/a.ts': 'store.iterate(null, `prevunique`)' }, 'src/storage/a.ts has a prevunique cursor']
    ]
  },
  {
    name: 'imports have no cycles',
    rule: rules.noCycles,
    breaches: [
      [
        {
          'src/bus/a.ts': "import { b } from './b.js'",
          'src/bus/b.ts': "export { c } from './c.js'",
          'src/bus/c.ts': "import type { a } from './a.js'"
        },
        'src/bus/a.ts → src/bus/b.ts → src/bus/c.ts → src/bus/a.ts is a cycle'
      ]
    ]
  },
  {
    name: 'no file is over 250 lines',
    rule: rules.filesAreShort,
    breaches: [[{ 'src/bus/a.ts': 'a()\n'.repeat(251) }, 'src/bus/a.ts has 251 lines']]
  },
  {
    name: 'there is no any, default export, enum, namespace or parameter property',
    rule: rules.onlyOurSyntax,
    breaches: [
      [{ 'src/bus/a.ts': 'export const a = (b: Map<string, any>) => b' }, 'src/bus/a.ts has any'],
      [{ 'src/bus/a.ts': 'export default class {}' }, 'has a default export'],
      [{ 'src/bus/a.ts': 'const a = 1\nexport { a as default }' }, 'has a default export'],
      [{ 'src/bus/a.ts': 'export enum A { b }' }, 'has an enum'],
      [{ 'src/bus/a.ts': 'export namespace A { export const b = 1 }' }, 'has a namespace'],
      [{ 'src/bus/a.ts': 'export class A { constructor(private b: string) {} }' }, 'has a parameter property']
    ]
  },
  {
    name: 'names of files are in kebab-case',
    rule: rules.namesAreKebabCase,
    breaches: [[{ 'src/bus/updateBus.ts': '' }, 'src/bus/updateBus.ts is not in kebab-case']]
  },
  {
    name: 'the tab loads neither a database nor a server',
    rule: rules.tabStaysLight,
    breaches: [
      [
        { 'src/index.ts': "export { a } from './client/a.js'", 'src/client/a.ts': "import { openDB } from 'idb'" },
        'src/client/a.ts brings idb into the tab'
      ],
      [
        { 'src/index.ts': "import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'" },
        'src/index.ts brings @modelcontextprotocol/sdk/server/mcp.js into the tab'
      ]
    ]
  },
  {
    name: 'a tool brings neither a server nor a browser',
    rule: rules.toolRunsAnywhere,
    breaches: [
      [
        {
          'src/tool.ts': "export { a } from './tool/a.js'",
          'src/tool/a.ts': "import '@modelcontextprotocol/sdk/server/zod-compat.js'"
        },
        'src/tool/a.ts brings @modelcontextprotocol/sdk/server/zod-compat.js into a tool'
      ],
      [{ 'src/tasks/a.ts': "document.addEventListener('x', () => 0)" }, 'speaks of document, which Node lacks']
    ]
  },
  {
    name: 'sideEffects of package.json names the modules that act when they are loaded',
    rule: rules.sideEffectsAre(manifest.sideEffects),
    breaches: [
      [{ 'src/link/a.ts': "addEventListener('x', a)" }, 'src/link/a.ts acts when it is loaded'],
      [{ 'src/link/a.ts': 'if (a) b()' }, 'src/link/a.ts acts when it is loaded'],
      [{ 'src/link/early.ts': 'export const a = 1' }, 'src/link/early.ts is in sideEffects, and does nothing']
    ]
  },
  {
    name: 'an entry exports the names of its list, written by hand',
    rule: rules.publicNamesAre(publicNames),
    breaches: [
      [{ 'src/index.ts': 'export const unheardOf = 1' }, 'src/index.ts exports unheardOf, which is not in the list'],
      [{ 'src/index.ts': "export * from './client/a.js'" }, 'src/index.ts exports *, which is not in the list']
    ]
  }
]

describe.each(cases)('$name', ({ rule, breaches }) => {
  test('in src', () => {
    expect(rule(source)).toEqual([])
  })

  test.each(breaches)('a breach is found: %j', (files, says) => {
    expect(rule(parse(files)).join('\n')).toContain(says)
  })
})

test('what the compiler erases is no weight for the tab', () => {
  const files = {
    'src/index.ts': "export { a } from './client/a.js'",
    'src/client/a.ts': "import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'"
  }
  expect(rules.tabStaysLight(parse(files))).toEqual([])
})

test('no file of the tests and scripts is over 250 lines', () => {
  expect(rules.filesAreShort(readSources(new Map([...filesUnder('test'), ...filesUnder('scripts')])))).toEqual([])
})
