// The demo as `npm start` serves it, beside the pages of these tests, with a collector of policy violations.
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { mergeConfig } from 'vite'
import { tinyModels } from './tiny-model.js'
import base, { headers } from '../../vite.config.js'

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))
const pages = readdirSync(path('pages')).filter((name) => name.endsWith('.html'))

/** Where the browser posts violations, of pages and of workers; a GET returns all that came, oldest first. */
const reportPath = '/csp-reports'

function cspReports(): Plugin {
  const reports: unknown[] = []
  return {
    name: 'csp-reports',
    configurePreviewServer(server) {
      server.middlewares.use(reportPath, (request, response) => {
        if (request.method === 'GET') {
          response.setHeader('Content-Type', 'application/json')
          response.end(JSON.stringify(reports))
          return
        }
        const chunks: Buffer[] = []
        request.on('data', (chunk: Buffer) => chunks.push(chunk))
        request.on('end', () => {
          reports.push(JSON.parse(Buffer.concat(chunks).toString('utf8')))
          response.statusCode = 204
          response.end()
        })
      })
    }
  }
}

export default mergeConfig(base, {
  root: path('../..'),
  // report-uri, not report-to: its reports come at once, and need no secure endpoint.
  plugins: [headers(`; report-uri ${reportPath}`), cspReports(), tinyModels()],
  // The contract suites run in a page, too, where there is no Vitest.
  resolve: { alias: { vitest: path('pages/vitest-in-page.ts') } },
  build: {
    outDir: 'dist-e2e',
    rolldownOptions: { input: [path('../../index.html'), ...pages.map((name) => path(`pages/${name}`))] }
  }
})
