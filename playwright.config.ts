import { createServer } from 'node:net'
import { defineConfig } from '@playwright/test'

/** A port that nobody uses; workers load this file again and find the choice in the environment. */
async function choosePort(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('No free port')
  return String(address.port)
}

const port = (process.env['INTAB_E2E_PORT'] ??= await choosePort())
const vite = 'node node_modules/vite/bin/vite.js'
const config = '--config test/e2e/vite.config.ts'

/** What starts browsers of its own, kills them, or goes on for long: `npm run test:all` runs it, not `npm test`. */
const slow = /(bridge|bridge-process|board-offline|death|restart|soak|tabs-many)\.spec\.ts$/

export default defineConfig({
  testDir: 'test/e2e',
  testMatch: '**/*.spec.ts',
  // Only ends what hangs: a slow machine is no failure.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  retries: 0,
  workers: 2,
  forbidOnly: true,
  reporter: 'list',
  projects: [
    { name: 'quick', testIgnore: slow },
    { name: 'slow', testMatch: slow }
  ],
  use: { baseURL: `http://localhost:${port}`, trace: 'off' },
  webServer: {
    command: `${vite} build ${config} --logLevel error && ${vite} preview ${config} --port ${port} --strictPort`,
    url: `http://localhost:${port}/`,
    reuseExistingServer: false,
    timeout: 60_000
  }
})
