// The SDK's own server in a SharedWorker, over a port and nothing more.

import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import * as z from 'zod'
import { BareTransport } from './bare-transport.js'

addEventListener('connect', (event) => {
  const [port] = (event as MessageEvent).ports
  if (port === undefined) return
  const server = new McpServer({ name: 'bare', version: '0.0.0' })
  server.registerTool('echo', { inputSchema: { text: z.string() } }, ({ text }) => ({
    content: [{ type: 'text', text }]
  }))
  server.connect(new BareTransport(port)).catch((error: unknown) => reportError(error))
})
