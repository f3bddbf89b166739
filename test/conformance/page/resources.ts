import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js'
import { SubscribeRequestSchema, UnsubscribeRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { png } from './samples.js'

export function registerResources(server: McpServer): void {
  const plain = (name: string, mimeType: string, content: { text: string } | { blob: string }): void => {
    const uri = `test://${name}`
    server.registerResource(name, uri, { description: `The resource ${name}`, mimeType }, () => ({
      contents: [{ uri, mimeType, ...content }]
    }))
  }
  plain('static-text', 'text/plain', { text: 'This is the content of the static text resource.' })
  plain('static-binary', 'image/png', { blob: png })
  plain('watched-resource', 'text/plain', { text: 'Watch me' })

  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined })
  const mimeType = 'application/json'
  server.registerResource('template', template, { description: 'A template', mimeType }, ({ href }, { id }) => {
    const data = { id, templateTest: true, data: `Data for ID: ${String(id)}` }
    return { contents: [{ uri: href, mimeType, text: JSON.stringify(data) }] }
  })

  server.server.registerCapabilities({ resources: { subscribe: true } })
  server.server.setRequestHandler(SubscribeRequestSchema, () => ({}))
  server.server.setRequestHandler(UnsubscribeRequestSchema, () => ({}))
}
