// A Vite plugin that builds the demo's service worker, with the list of the files that the page needs.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'vite'
import { later } from './model-worker.mjs'

/** @param {string | Uint8Array} content */
const revisionOf = (content) => createHash('sha256').update(content).digest('hex').slice(0, 16)

/**
 * The files that a page names, and those that they name, and so on: scripts, styles, workers, but not other pages' files,
 * nor what comes with a model that the person chooses to load.
 * @param {Map<string, string | Uint8Array>} files by name
 * @param {string} page
 */
export function filesOf(files, page) {
  const found = new Set([page])
  for (const name of found) {
    const content = files.get(name)
    if (typeof content !== 'string') continue
    for (const other of files.keys())
      if (!other.endsWith('.html') && !later.test(other) && content.includes(basename(other))) found.add(other)
  }
  return [...found]
}

/**
 * Writes `sw.js` beside `page`, made from the script at `source`. A build of other pages gets none.
 * @param {string} page the path of its HTML file, in the root of its build
 * @param {string} source
 * @returns {import('vite').Plugin}
 */
export function serviceWorker(page, source) {
  /** @type {import('vite').ResolvedConfig} */
  let config
  return {
    name: 'service-worker',
    apply: 'build',
    configResolved(resolved) {
      config = resolved
    },
    async writeBundle({ dir = '' }, bundle) {
      if (join(config.root, basename(page)) !== page || !(basename(page) in bundle)) return
      const built = new Map(
        Object.values(bundle).map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source])
      )
      const shipped = (existsSync(config.publicDir) ? readdirSync(config.publicDir) : []).map(
        (name) => /** @type {const} */ ([name, readFileSync(join(config.publicDir, name))])
      )
      const files = new Map([...built, ...shipped])
      const names = [...filesOf(built, basename(page)), ...shipped.map(([name]) => name)]
      const entries = names.map((url) => ({
        url,
        revision: /-[\w-]{8}\.\w+$/.test(url) ? null : revisionOf(files.get(url) ?? '')
      }))
      await build({
        configFile: false,
        root: config.root,
        logLevel: config.logLevel ?? 'info',
        publicDir: false,
        define: { PRECACHE: JSON.stringify(entries), 'process.env.NODE_ENV': '"production"' },
        build: {
          outDir: dir,
          emptyOutDir: false,
          rolldownOptions: { input: source, output: { format: 'iife', entryFileNames: 'sw.js' } }
        }
      })
    }
  }
}
