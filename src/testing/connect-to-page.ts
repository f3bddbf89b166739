import { Client, type ClientOptions } from '@modelcontextprotocol/sdk/client/index.js'
import type { Page } from 'playwright-core'
import { PageTransport, type PageTransportOptions } from './page-transport.js'

/** Options of `connectToPage` and of the fixture `mcp`. */
export interface ConnectOptions extends PageTransportOptions {
  /** What the client declares, and more of the SDK's options. */
  client?: ClientOptions
  /** Called before the client connects: the place for its request handlers. */
  prepare?(client: Client): void
}

/**
 * A real SDK Client in Node for the server in the page's SharedWorker; `client.close()` ends it. Works before
 * `page.goto`, too: then it resolves once the page made its worker.
 *
 * Rejects with `worker_failed` when the page has no server, `closed` when it is closed.
 */
export async function connectToPage(page: Page, options: ConnectOptions = {}): Promise<Client> {
  const { client: clientOptions, prepare, ...transportOptions } = options
  const client = new Client({ name: 'intab-testing', version: '1.0.0' }, clientOptions)
  prepare?.(client)
  await client.connect(new PageTransport(page, transportOptions))
  return client
}
