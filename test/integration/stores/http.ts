// A server of the SDK's behind Streamable HTTP, as one runs it off the browser.

import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** Listens until the test ends; one server per session, as the SDK wants it. */
export async function serveHttp(newServer: () => McpServer): Promise<URL> {
  const sessions = new Map<string, StreamableHTTPServerTransport>()

  async function open(): Promise<StreamableHTTPServerTransport> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport)
    })
    await newServer().connect(transport)
    return transport
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const known = sessions.get(String(request.headers['mcp-session-id']))
    await (known ?? (await open())).handleRequest(request, response)
  }

  const http = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const transport of sessions.values()) await transport.close()
    http.closeAllConnections()
    await new Promise((resolve) => http.close(resolve))
  })
  return new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`)
}

export const connectHttp = (url: URL): Transport => new StreamableHTTPClientTransport(url)
