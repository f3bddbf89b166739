// Serves the built page as any host of static files would, until it is gone; a deploy changes what it serves.
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { contentSecurityPolicy } from '../../vite.config.js'

const folder = fileURLToPath(new URL('../../dist-e2e', import.meta.url))
const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.csv': 'text/csv',
  '.webmanifest': 'application/manifest+json'
}

export class StaticServer {
  /** Put before what a file holds, by name. */
  readonly changes = new Map<string, string>()
  readonly #server: Server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const name = pathname === '/' ? 'index.html' : pathname.slice(1)
    readFile(join(folder, name)).then(
      (content) => {
        response.setHeader('Content-Type', types[extname(name)] ?? 'application/octet-stream')
        response.setHeader('Content-Security-Policy', contentSecurityPolicy)
        response.end((this.changes.get(name) ?? '') + content.toString(extname(name) === '.png' ? 'latin1' : 'utf8'))
      },
      () => {
        response.statusCode = 404
        response.end()
      }
    )
  })

  /** Resolves with the address of the page. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, resolve))
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('No port')
    return `http://localhost:${address.port}/`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
