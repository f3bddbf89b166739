import '../../../src/demo/jitless.js'
import { mcpServer } from 'intab/mcp-server'
import { serve } from 'intab/worker'
import * as z from 'zod'

const cycle: Record<string, unknown> = {}
cycle['self'] = cycle

const odd: Record<string, unknown> = { bigint: 1n, cycle, map: new Map() }

serve({
  name: 'plain',
  version: '0.0.0',
  setup: mcpServer((server) => {
    for (const [name, value] of Object.entries(odd)) {
      server.registerTool(name, {}, () => ({ content: [], _meta: { value } }))
    }
    server.registerTool('size', { inputSchema: z.looseObject({}) }, (args) => ({
      content: [{ type: 'text', text: String(JSON.stringify(args).length) }]
    }))
  })
})
