// The soak alone, as `npm run faults` runs it.
import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'
import base from '../../../playwright.config.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const port = process.env['INTAB_E2E_PORT'] ?? ''
const vite = 'node node_modules/vite/bin/vite.js'
const config = '--config test/e2e/soak/vite.config.ts'

export default defineConfig({
  ...base,
  testDir: '..',
  projects: [{ name: 'soak', testMatch: 'soak.spec.ts' }],
  outputDir: process.env['INTAB_SOAK_RESULTS'] ?? '../../../test-results/soak',
  webServer: {
    command: `${vite} build ${config} --logLevel error && ${vite} preview ${config} --port ${port} --strictPort`,
    cwd: root,
    url: `http://localhost:${port}/test/e2e/pages/soak.html`,
    reuseExistingServer: false,
    timeout: 120_000
  }
})
