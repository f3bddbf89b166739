// The pages of the bench as a production build with the plugin that the quick start advises, and a SharedWorker that is as
// large as one of task tools, and does nothing.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'
import { intab } from '../src/vite.js'

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

/** Parses what the server's worker parses, and runs nothing of it. */
function bareWorker(): Plugin {
  return {
    name: 'bare-worker',
    apply: 'build',
    writeBundle({ dir = '' }) {
      const assets = join(dir, 'assets')
      const server = readdirSync(assets).find((name) => /^tools\.worker-.*\.js$/.test(name))
      const bare = readdirSync(assets).find((name) => /^bare\.worker-.*\.js$/.test(name))
      if (server === undefined || bare === undefined) return
      const never = readFileSync(join(assets, server), 'utf8').replaceAll('import.meta', 'globalThis')
      writeFileSync(
        join(assets, bare),
        `${readFileSync(join(assets, bare), 'utf8')}\nasync function never() {${never}}\n`
      )
    }
  }
}

export default defineConfig({
  root: path('pages'),
  base: './',
  resolve: { tsconfigPaths: true, alias: { 'node:crypto': path('floors/node-crypto.ts') } },
  plugins: [intab(), bareWorker()],
  worker: { format: 'es' },
  build: { target: 'es2022', emptyOutDir: true, chunkSizeWarningLimit: 1000 },
  preview: {
    // An isolated page has a clock of 5 µs: https://developer.mozilla.org/docs/Web/API/Performance_API/High_precision_timing
    headers: { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' }
  }
})
