// A worker with plain tools beside its task tools.

import { mcpServer } from 'intab/mcp-server'
import { serve, taskTool } from 'intab/worker'
import * as z from 'zod'

const wait = taskTool(
  'wait',
  { description: 'Waits', inputSchema: { ms: z.number() }, taskSupport: 'optional' },
  async ({ ms }, task) => {
    await task.sleep(ms)
    return { content: [] }
  }
)

serve({
  name: 'files',
  version: '1.0.0',
  tools: [wait],
  setup: mcpServer((server) => {
    server.registerTool('add', { inputSchema: { a: z.number(), b: z.number() } }, ({ a, b }) => ({
      content: [{ type: 'text', text: String(a + b) }]
    }))
  })
})
