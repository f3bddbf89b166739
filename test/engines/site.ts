// Serves the built app at an origin of its own: a port is part of an origin, in every engine.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { contentSecurityPolicy } from '../../vite.config.js'

const app = process.env['INTAB_ENGINES_APP'] ?? ''
const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.csv': 'text/csv',
  '.webmanifest': 'application/manifest+json'
}

export interface Site {
  origin: string
  /** What the browser reported of the policy: which directive, and what broke it. */
  violations: { directive: string; blocked: string }[]
  stop(): Promise<void>
}

export async function serveApp(): Promise<Site> {
  const violations: Site['violations'] = []
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === '/csp-reports') {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const { 'csp-report': report } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
          'csp-report': Record<string, string>
        }
        violations.push({ directive: report['effective-directive'] ?? '', blocked: report['blocked-uri'] ?? '' })
        response.writeHead(204).end()
      })
      return
    }
    if (pathname === '/clear') {
      response.setHeader('Clear-Site-Data', '"storage"').end('cleared')
      return
    }
    const name = pathname === '/' ? 'index.html' : pathname.slice(1)
    const file = (folder: string): Promise<Buffer> => readFile(join(app, folder, name))
    // The pages of the contracts have a build of their own.
    file('')
      .catch(() => file('e2e'))
      .then(
        (content) => {
          response.setHeader('Content-Type', types[extname(name)] ?? 'application/octet-stream')
          response.setHeader('Content-Security-Policy', `${contentSecurityPolicy}; report-uri /csp-reports`)
          response.end(content)
        },
        () => response.writeHead(404).end()
      )
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port')
  return {
    origin: `http://localhost:${address.port}`,
    violations,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}
