// During development, ends a worker whose code was edited: a SharedWorker outlives the reload of its page, and would
// answer with the old code.

import { relative } from 'node:path'
import type { EnvironmentModuleNode, Plugin } from 'vite'

/** Vite adds this query to the URL of a worker's script. */
const workerFile = /[?&]worker_file&type=/

/** A module that makes a worker, in either form that Vite knows. */
const makesWorker = /\bnew\s+(Shared)?Worker\b|[?&](shared)?worker\b/

/** Name of the Vite event and of the BroadcastChannel. */
const topic = 'intab:edited'

const ofPage = 'virtual:intab/page'
const ofWorker = 'virtual:intab/worker'

interface Edited {
  /** The worker's script, from the project's root. */
  file: string
  /** Differs from the version of every worker that was started before the edit. */
  version: string
}

/** Runs in each tab, and tells the workers, which have no connection to the dev server. */
const pageCode = (known: readonly Edited[]): string => `
function tell(edited) {
  const channel = new BroadcastChannel(${JSON.stringify(topic)})
  channel.postMessage(edited)
  // A page with an open channel is kept out of the back/forward cache.
  channel.close()
}
for (const edited of ${JSON.stringify(known)}) tell(edited)
import.meta.hot?.on(${JSON.stringify(topic)}, (edited) => {
  console.info(\`intab: \${edited.file} was edited, a new worker takes over\`)
  tell(edited)
})
`

const workerCode = ({ file, version }: Edited): string => `
new BroadcastChannel(${JSON.stringify(topic)}).addEventListener('message', ({ data }) => {
  if (data.file === ${JSON.stringify(file)} && data.version !== ${JSON.stringify(version)}) self.close()
})
`

/** The scripts of workers that a module is part of; `pages` tells whether a page has it as well. */
function workersOf(module: EnvironmentModuleNode): { entries: Set<EnvironmentModuleNode>; pages: boolean } {
  const entries = new Set<EnvironmentModuleNode>()
  const seen = new Set<EnvironmentModuleNode>()
  let pages = false
  const visit = (node: EnvironmentModuleNode): void => {
    if (seen.has(node)) return
    seen.add(node)
    if (workerFile.test(node.url)) entries.add(node)
    else if (node.importers.size === 0) pages = true
    else for (const importer of node.importers) visit(importer)
  }
  visit(module)
  return { entries, pages }
}

/** Replaces a running worker when its script, or a module that it imports, is edited; only in `vite dev`. */
export function swapWorkers(): Plugin {
  const start = Date.now()
  const edits = new Map<string, number>()
  let root = ''
  const fileOf = (id: string): string => relative(root, id.replace(/[?#].*$/, '')).replaceAll('\\', '/')
  const stateOf = (file: string): Edited => ({ file, version: `${start}.${edits.get(file) ?? 0}` })

  return {
    name: 'intab:swap-workers',
    apply: 'serve',
    enforce: 'pre',
    config: ({ optimizeDeps = {}, build = {} }) => {
      // Vite looks for dependencies in pages only: one that it finds later, in a worker, makes it reload every page.
      const input = optimizeDeps.entries ?? build.rollupOptions?.input ?? ['**/*.html']
      const pages = typeof input === 'string' || Array.isArray(input) ? input : Object.values(input)
      const entries = [pages, '**/*.worker.{js,mjs,jsx,ts,mts,tsx}'].flat()
      return { optimizeDeps: { entries, include: ['intab', 'intab/worker'] } }
    },
    configResolved: (config) => {
      root = config.root
    },
    resolveId: (source) => (source === ofPage || source.startsWith(`${ofWorker}?`) ? `\0${source}` : undefined),
    load(id) {
      if (id === `\0${ofPage}`) return pageCode([...edits.keys()].map(stateOf))
      if (!id.startsWith(`\0${ofWorker}?`)) return undefined
      const [file = '', version = ''] = [...new URLSearchParams(id.slice(id.indexOf('?'))).values()]
      return workerCode({ file, version })
    },
    transform(code, id, options) {
      if (options?.ssr || id.startsWith('\0') || id.includes('/node_modules/')) return undefined
      // No line moves. An import runs before a module that fails.
      if (workerFile.test(id)) {
        const query = new URLSearchParams({ ...stateOf(fileOf(id)) })
        return { code: `import ${JSON.stringify(`${ofWorker}?${query}`)};${code}`, map: null }
      }
      return makesWorker.test(code) ? { code: `${code}\nimport ${JSON.stringify(ofPage)}`, map: null } : undefined
    },
    hotUpdate({ file, modules, timestamp }) {
      const { name, hot, logger, moduleGraph } = this.environment
      if (name !== 'client') return undefined
      const edited = new Set<EnvironmentModuleNode>()
      const forPages = modules.filter((module) => {
        const { entries, pages } = workersOf(module)
        for (const entry of entries) edited.add(entry)
        if (!pages) moduleGraph.invalidateModule(module, new Set(), timestamp, true)
        return pages
      })
      for (const entry of edited) {
        const worker = fileOf(entry.id ?? entry.url)
        edits.set(worker, (edits.get(worker) ?? 0) + 1)
        // Its code holds its version, and must be made anew even if only a module that it imports was edited.
        moduleGraph.invalidateModule(entry, new Set(), timestamp, true)
        hot.send(topic, stateOf(worker))
        logger.info(`intab: ${worker} restarts, ${fileOf(file)} was edited`, { timestamp: true })
      }
      const page = moduleGraph.getModuleById(`\0${ofPage}`)
      if (page && edited.size > 0) moduleGraph.invalidateModule(page)
      return forPages.length < modules.length ? forPages : undefined
    }
  }
}
