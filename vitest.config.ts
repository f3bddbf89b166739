import { defineConfig } from 'vitest/config'

export default defineConfig({
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
    expect: { requireAssertions: true }
  }
})
