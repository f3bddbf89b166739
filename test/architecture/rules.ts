// Each rule takes the sources by path and returns its breaches, each a sentence that names the file.
import type { Import, Source } from './source.js'

type Sources = ReadonlyMap<string, Source>
type Rule = (sources: Sources) => string[]

/** From the ground up: imports go down only, and folders on one floor never import each other. */
const floors: string[][] = [
  [
    'records',
    'record-changes',
    'types',
    'errors',
    'ids',
    'plain-json',
    'patterns',
    'time',
    'protocol',
    'limits',
    'task-file'
  ],
  ['bus', 'storage', 'postgres', 'link', 'forms'],
  ['tasks'],
  ['tool', 'lend'],
  ['modern'],
  ['session', 'client', 'http'],
  ['sdk', 'dbos'],
  ['index', 'worker', 'stores', 'testing', 'vite', 'webmcp', 'devtools', 'mcp-server'],
  ['demo', 'bridge']
]

/** `src/bus/update-bus.ts` → `bus`, `src/types.ts` → `types`. */
const partOf = (path: string): string =>
  path
    .replace(/^src\//, '')
    .replace(/\.\w+$/, '')
    .split('/')[0] ?? ''
const floorOf = (part: string): number => floors.findIndex((parts) => parts.includes(part))

const each = (sources: Sources, breaches: (source: Source, part: string) => string[]): string[] =>
  [...sources.values()].flatMap((source) =>
    breaches(source, partOf(source.path)).map((text) => `${source.path} ${text}`)
  )

export const importsGoDown: Rule = (sources) =>
  each(sources, (source, part) => {
    const floor = floorOf(part)
    if (floor < 0) return ['is on no floor: add its folder to the floors of this test']
    return source.imports.flatMap(({ target, specifier }) => {
      if (target === undefined || partOf(target) === part) return []
      const other = floorOf(partOf(target))
      const allowed = floor === 0 ? other === 0 : part === 'tasks' ? other === 0 : other < floor
      return allowed ? [] : [`imports ${specifier}, which is not below it`]
    })
  })

/** Style sheets are the bundler's to find. */
export const importsExist: Rule = (sources) =>
  each(sources, ({ imports }) =>
    imports.flatMap(({ target, specifier }) =>
      target === undefined || target.endsWith('.css') || sources.has(target)
        ? []
        : [`imports ${specifier}, which does not exist`]
    )
  )

/** The demo is the first stranger: it sees of intab only what any other app sees. */
export const demoUsesEntries: Rule = (sources) =>
  each(sources, ({ imports }, part) =>
    imports.flatMap(({ target, specifier }) =>
      part !== 'demo' || target === undefined || !specifier.startsWith('.') || partOf(target) === 'demo'
        ? []
        : [`imports ${specifier} by its path, not by its entry`]
    )
  )

interface Owned {
  owners: string[]
  words?: RegExp
  packages?: RegExp
  /** Only what stays after compilation counts. */
  runtimeOnly?: boolean
}

const owned: Owned[] = [
  { owners: ['bus', 'testing'], words: /^BroadcastChannel$/ },
  { owners: ['storage', 'testing'], words: /^(indexedDB|IDB\w+)$/ },
  { owners: ['storage', 'demo'], packages: /^idb$/ },
  { owners: ['link'], packages: /^comlink/ },
  { owners: ['webmcp'], words: /^modelContext$/ },
  { owners: ['postgres'], packages: /^pg($|-)/ },
  { owners: ['dbos'], packages: /^@dbos-inc\// },
  { owners: ['devtools', 'demo'], words: /^(customElements|HTMLElement|CSSStyleSheet|adoptedStyleSheets)$/ },
  { owners: ['forms'], packages: /^@cfworker\/json-schema$/ },
  // What testing sends into a foreign page as text can import nothing, so it says these words itself.
  { owners: ['link', 'testing'], words: /^(MessagePort|MessageChannel|LockManager)$/ },
  { owners: ['link', 'testing', 'demo'], words: /^navigator\.locks$/ },
  { owners: ['link', 'testing', 'demo'], words: /^SharedWorker(GlobalScope)?$/ },
  { owners: ['session', 'bridge'], packages: /^@modelcontextprotocol\/sdk\/server\//, runtimeOnly: true },
  { owners: ['session', 'demo'], packages: /^@modelcontextprotocol\/sdk\/validation\//, runtimeOnly: true },
  { owners: ['client', 'demo', 'testing'], packages: /^@modelcontextprotocol\/sdk\/client\//, runtimeOnly: true },
  {
    owners: ['tool', 'session', 'client', 'lend', 'sdk', 'demo', 'testing', 'bridge', 'http', 'dbos'],
    packages: /^@modelcontextprotocol\/sdk/,
    runtimeOnly: true
  }
]

export const foreignApisHaveOwners: Rule = (sources) =>
  each(sources, ({ imports, words }, part) =>
    owned.flatMap((api) => {
      if (api.owners.includes(part)) return []
      const said = [...words].filter((word) => api.words?.test(word))
      const imported = imports.filter(
        ({ specifier, runtime }) => api.packages?.test(specifier) && (runtime || !api.runtimeOnly)
      )
      return [...said, ...imported.map(({ specifier }) => specifier)].map(
        (name) => `speaks of ${name}, which belongs to ${api.owners.join(', ')}`
      )
    })
  )

/** WebKit fails to open one that finds no row: https://bugs.webkit.org/show_bug.cgi?id=319640 */
export const noUniqueCursors: Rule = (sources) =>
  each(sources, ({ strings }) =>
    ['nextunique', 'prevunique']
      .filter((direction) => strings.has(direction))
      .map((direction) => `has a ${direction} cursor`)
  )

export const noCycles: Rule = (sources) => {
  const done = new Set<string>()
  const breaches: string[] = []
  const visit = (path: string, trail: string[]): void => {
    const start = trail.indexOf(path)
    if (start >= 0) breaches.push(`${[...trail.slice(start), path].join(' → ')} is a cycle`)
    if (start >= 0 || done.has(path)) return
    for (const { target } of sources.get(path)?.imports ?? []) if (target !== undefined) visit(target, [...trail, path])
    done.add(path)
  }
  for (const path of sources.keys()) visit(path, [])
  return breaches
}

export const filesAreShort: Rule = (sources) =>
  each(sources, ({ lines }) => (lines > 250 ? [`has ${lines} lines; at most 250`] : []))

export const onlyOurSyntax: Rule = (sources) =>
  each(sources, ({ foreignSyntax }) => foreignSyntax.map((syntax) => `has ${syntax}`))

export const namesAreKebabCase: Rule = (sources) =>
  each(sources, ({ path }) =>
    /^src(\/[a-z0-9]+(-[a-z0-9]+)*)+(\.worker)?\.ts$/.test(path) ? [] : ['is not in kebab-case']
  )

/** What a module brings into a bundle: every import that is left after compilation, and theirs. */
function runtimeImports(sources: Sources, entry: string): (Import & { from: string })[] {
  const found: (Import & { from: string })[] = []
  const seen = new Set<string>()
  const queue = [entry]
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (seen.has(path)) continue
    seen.add(path)
    for (const imported of sources.get(path)?.imports ?? []) {
      if (!imported.runtime) continue
      found.push({ ...imported, from: path })
      if (imported.target !== undefined) queue.push(imported.target)
    }
  }
  return found
}

/** A tab is not asked to load a database or a server. */
export const tabStaysLight: Rule = (sources) =>
  runtimeImports(sources, 'src/index.ts')
    .filter(
      ({ specifier, target = '' }) => /^idb$|\/sdk\/server\//.test(specifier) || target.startsWith('src/storage/')
    )
    .map(({ from, specifier }) => `${from} brings ${specifier} into the tab`)

/** Whatever runs tasks can take a tool: its definition brings neither a server nor a browser. */
export const toolRunsAnywhere: Rule = (sources) => [
  ...runtimeImports(sources, 'src/tool.ts')
    .filter(({ specifier, target }) => target === undefined && !isForTools.test(specifier))
    .map(({ from, specifier }) => `${from} brings ${specifier} into a tool`),
  ...each(sources, ({ words }, part) =>
    part === 'tool' || part === 'tasks'
      ? [...words].filter((word) => browsers.test(word)).map((word) => `speaks of ${word}, which Node lacks`)
      : []
  )
]

const isForTools = /^(zod|@cfworker\/json-schema|@modelcontextprotocol\/sdk\/types\.js)$/
const browsers = /^(window|document|navigator|localStorage|sessionStorage|Worker|XMLHttpRequest)$/

/** What each entry exports, by entry. */
export const publicNamesAre =
  (expected: Readonly<Record<string, readonly string[]>>): Rule =>
  (sources) =>
    Object.entries(expected).flatMap(([path, names]) => {
      const exports = sources.get(path)?.exports ?? []
      return [
        ...exports
          .filter((name) => !names.includes(name))
          .map((name) => `${path} exports ${name}, which is not in the list`),
        ...names
          .filter((name) => !exports.includes(name))
          .map((name) => `${path} exports no ${name}, which is in the list`)
      ]
    })

/** A bundler drops a module that nobody needs anything of, unless package.json says that loading it has an effect. */
export const sideEffectsAre =
  (listed: readonly string[]): Rule =>
  (sources) =>
    each(sources, ({ path, acts }, part) => {
      const built = path.replace(/^src(.*)\.ts$/, './dist$1.js')
      if (part === 'demo' || acts === listed.includes(built)) return []
      return [
        acts ? `acts when it is loaded, and ${built} is not in sideEffects` : 'is in sideEffects, and does nothing'
      ]
    })
