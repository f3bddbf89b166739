import { join } from 'node:path'
import { defineConfig, type Plugin } from 'vitest/config'

/** Another installation whose SDK and zod the tests run with: see scripts/peers.mjs. */
const { INTAB_PEERS: others } = process.env

const withPeersOf = (modules: string): Plugin => ({
  name: 'peers',
  enforce: 'pre',
  resolveId: {
    filter: { id: /^(@modelcontextprotocol\/sdk|zod)(\/|$)/ },
    async handler(source, _, options) {
      const found = await this.resolve(source, join(modules, '..', 'package.json'), { ...options, skipSelf: true })
      if (!found?.id.startsWith(modules)) throw new Error(`${modules} has no ${source}`)
      return found
    }
  }
})

export default defineConfig({
  plugins: others === undefined ? [] : [withPeersOf(others)],
  // The names 'intab', 'intab/worker', … resolve to src as tsconfig.json says.
  resolve: { tsconfigPaths: true },
  test: {
    include: ['test/**/*.test.ts'],
    // They start a PostgreSQL: npm run dbos.
    exclude: ['test/dbos/**'],
    setupFiles: ['test/setup.ts'],
    // Only ends what hangs: a test of 2 s took 60 s on a machine with twenty other processes.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Files of one process share its modules: loading the SDK anew for each of them took half of the time.
    isolate: false,
    // The default leaves one core idle.
    maxWorkers: '100%',
    // Faking setImmediate, queueMicrotask or MessageChannel would stall fake-indexeddb and Comlink.
    fakeTimers: { toFake: ['Date', 'setTimeout', 'clearTimeout'] },
    dangerouslyIgnoreUnhandledErrors: false,
    // The default of a second is a grace on a slow machine.
    expect: { requireAssertions: true, poll: { timeout: 60_000 } }
  }
})
