import { defineConfig } from '@playwright/test'

const port = Number(process.env['INTAB_E2E_PORT'] ?? 4187)

export default defineConfig({
  testDir: 'test/e2e',
  testMatch: '**/*.spec.ts',
  timeout: 30_000,
  expect: { timeout: 10_000 },
  retries: 0,
  workers: 2,
  forbidOnly: true,
  reporter: 'list',
  use: { baseURL: `http://localhost:${port}`, trace: 'off' },
  webServer: {
    command: `npx vite build -c test/e2e/vite.config.ts --logLevel warn && npx vite preview -c test/e2e/vite.config.ts --port ${port} --strictPort`,
    url: `http://localhost:${port}/`,
    reuseExistingServer: false,
    timeout: 60_000
  }
})
