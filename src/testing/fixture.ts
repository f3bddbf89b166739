// A Playwright fixture: `const test = base.extend<{ mcp: Mcp }>({ mcp })`.

import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Page } from 'playwright-core'
import { AgentLink } from './agent-link.js'
import { connectToPage, type ConnectOptions } from './connect-to-page.js'
import { SharedWorkers } from './shared-workers.js'

/** Connects a Client to the server of the test's page, or of another; it is closed after the test. */
export type Mcp = (options?: ConnectOptions & { page?: Page }) => Promise<Client>

/** Watches `page` from the start of the test, and writes the console of its workers to the test's log. */
export async function mcp({ page }: { page: Page }, use: (mcp: Mcp) => Promise<void>): Promise<void> {
  await AgentLink.of(page).ready()
  const stop = (await SharedWorkers.ofPage(page))?.listen(({ worker, type, text }) => {
    process.stdout.write(`[${worker.name || worker.url}] ${type}: ${text}\n`)
  })
  const clients: Client[] = []
  await use(async ({ page: other = page, ...options } = {}) => {
    const client = await connectToPage(other, options)
    clients.push(client)
    return client
  })
  stop?.()
  await Promise.all(clients.map((client) => client.close()))
}
